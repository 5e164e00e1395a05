import { createContext, type RouterContextProvider } from 'react-router'
import type { PageBrand } from '#brand'
import type { Call, CallInput, CallOutput } from '#contract'
import { type FieldErrors, Problem } from '#problem'

/** 'METHOD /api/path/:param' → call. src/storefront/calls.ts adds those of the features, which this folder does not know. */
// biome-ignore lint/suspicious/noEmptyInterface: a type could not be added to
export interface AllCalls {}

type Wire = Record<string, string | number | undefined>
/** How a file is sent. */
export interface FileOptions {
  /** Upload progress from 0 to 1. In the browser only. */
  onProgress?: (part: number) => void
  headers?: Record<string, string>
}

/** Input of a call. Bodies may be invalid: the server validates. */
export interface Input<C extends Call> extends FileOptions {
  params?: { [K in keyof CallInput<C>['params']]: string | number }
  query?: { [K in keyof CallInput<C>['query']]?: string | number | undefined }
  body?: C['consumes'] extends 'multipart' ? { image: File } | { file: File } : CallInput<C>['body']
  /** The request outlives its page. Browsers allow it for bodies up to 64 KiB. In the browser only. */
  keepalive?: boolean
}

/** Calls the API: by fetch in the browser, in process on the server. @throws Problem for every refusal */
export type Ask = <K extends keyof AllCalls>(
  key: K,
  input?: Input<AllCalls[K]>,
) => Promise<CallOutput<AllCalls[K]>>

/** The API of loaders and actions. */
export const apiContext = createContext<Ask>()

/** Facts about the shop for its pages. A feature may add some by declaration merging. */
export interface SiteFacts {
  /** Whether the demo login is offered. */
  demo: boolean
  /** Whether browsers offer passkeys at this address. */
  passkeys: boolean
  brand: PageBrand
}
export const siteFactsContext = createContext<SiteFacts>()

/** The API from a loader's or action's context. */
export const apiOf = (args: { context: Readonly<RouterContextProvider> }): Ask => args.context.get(apiContext)

export const LOST = 'The connection was lost. Nothing you typed is gone: please try again'

/** How long a prefetched response stays usable, ms. */
export const PREFETCH_MS = 5_000
/** Without a frame by then the page counts as hidden, ms. */
const HIDDEN_MS = 100
/** Address → prefetched responses. */
const prefetched = new Map<string, Promise<Response>>()
/** Addresses with a request under way. */
const pending = new Set<string>()

/** Prefetches a GET. The next call for it uses this response. */
export function prefetchCall<K extends keyof AllCalls & `GET ${string}`>(
  key: K,
  input: Input<AllCalls[K]>,
): void {
  const url = callUrl(key, input as never)
  if (prefetched.has(url) || pending.has(url)) return
  prefetched.set(url, fetch(url, { headers: { accept: 'application/json' } }))
  prefetched.get(url)?.catch(() => prefetched.delete(url))
  setTimeout(() => prefetched.delete(url), PREFETCH_MS)
}

/** Uses a prefetched response once. A change discards all. */
function takePrefetched(method: string, url: string): Promise<Response> | undefined {
  if (method !== 'GET') prefetched.clear()
  const response = prefetched.get(url)
  prefetched.delete(url)
  return response
}

/** Resolves after the next frame, or soon if the page is hidden. */
export const nextFrame = (): Promise<void> =>
  new Promise(done => {
    requestAnimationFrame(() => setTimeout(done))
    setTimeout(done, HIDDEN_MS)
  })

const callUrl = (key: string, input: { params?: unknown; query?: unknown }) =>
  fill(key.split(' ')[1] ?? '', input.params as Wire) + search(input.query as Wire)

/** How a file is sent. Modules of pages with file fields set it, so that other pages do not load it. */
export const fileUpload: {
  send?: (url: string, field: string, file: File, options: FileOptions) => Promise<unknown>
} = {}

/** The API over the network. */
export const askOverFetch: Ask = async (key, input = {}) => {
  const [method = 'GET'] = key.split(' ')
  const url = callUrl(key, input)
  const { headers: extra } = input
  const body = input.body as object | undefined
  const [field, file] = Object.entries(body ?? {}).find(([, value]) => value instanceof File) ?? []
  const early = takePrefetched(method, url)
  if (field !== undefined) return fileUpload.send?.(url, field, file, input) as never
  const headers = {
    accept: 'application/json',
    ...extra,
    ...(body || method === 'POST' ? { 'content-type': 'application/json' } : {}),
  }
  const sent: RequestInit = {
    method,
    headers,
    keepalive: !!input.keepalive,
    ...(body ? { body: JSON.stringify(body) } : {}),
  }
  let response: Response
  let text: string
  pending.add(url)
  try {
    response = await (early ?? fetch(url, sent))
    // The connection may be lost in the middle of a response.
    text = await response.text()
  } catch (error) {
    throw lost(error)
  } finally {
    pending.delete(url)
    // What was prefetched meanwhile is old.
    if (method !== 'GET') prefetched.clear()
  }
  return parseResponseBody(response.status, text, name => response.headers.get(name)) as never
}

/** Logs a network failure. */
export function lost(error: unknown): Problem {
  // biome-ignore lint/suspicious/noConsole: the specification wants network failures logged
  console.warn('Network failure', error)
  return new Problem(0, LOST, { cause: error })
}

/** Parses a response. @throws Problem unless it succeeded */
export function parseResponseBody(
  status: number,
  text: string,
  header: (name: string) => string | null,
): unknown {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new Problem(status < 400 ? 502 : status, 'An error occurred')
  }
  if (status < 300) return body
  const retryAfter = Number(header('retry-after')) || undefined
  const requestId = header('x-request-id') ?? undefined
  const { message, errors } = body as { message?: string; errors?: string[] }
  if (errors) throw new Problem(status, message ?? 'An error occurred', { errors, retryAfter, requestId })
  const fields = body as FieldErrors
  throw new Problem(status, Object.values(fields)[0] ?? 'An error occurred', {
    fields,
    retryAfter,
    requestId,
  })
}

const fill = (path: string, params: Wire = {}) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

function search(query: Wire = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map(([k, v]) => [k, String(v)]))}`
}

/** The response of a call, or its refusal as a value. Rethrows other errors. */
export async function attempt<T>(
  work: Promise<T>,
): Promise<{ response: T; problem?: never } | { response?: never; problem: Problem }> {
  try {
    return { response: await work }
  } catch (error) {
    if (error instanceof Problem) return { problem: error }
    throw error
  }
}
