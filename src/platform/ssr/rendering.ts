import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#problem'
import type { RawInput, ServedCall } from '../api/api.ts'
import { compressGzip } from '../http/encoded-text.ts'
import { logError, toProblem } from '../http/error-handler.ts'
import { publicOrigin } from '../http/origin.ts'
import type { Rendered, RenderNeeds, ServedPages } from './renderer.ts'
import { normalizeInput, webRequest } from './request-adapter.ts'

/** Shorter pages are not compressed, characters. */
const MIN_COMPRESSED = 1_000

type Ask = RenderNeeds['ask']
/** An API call whose response depends on the user. */
export interface PersonalCall {
  key: string
  input: RawInput
}

/** Makes the API calls of one page request in this process, without HTTP. */
export class ServerApiClient {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #personal = new Map<string, { call: PersonalCall; response: Promise<unknown> }>()
  /** Whether a call other than GET was made. */
  madeChange = false
  /** Whether a public call was made. */
  madePublicCall = false

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request
    this.#reply = reply
  }

  /** Makes a call. Equal personal calls are made once, so that the response in the cache key is the one that the page shows. */
  ask: Ask = (key, input = {}) => {
    const call = this.#request.server.calls.get(key)
    if (!call) return Promise.reject(new Error(`No such call: ${key}`))
    if (call.isPublic) {
      this.madePublicCall = true
      return this.#call(call, key, input)
    }
    if (!key.startsWith('GET ')) {
      this.madeChange = true
      this.#personal.clear()
      return this.#call(call, key, input)
    }
    const name = callKey(key, input)
    const known = this.#personal.get(name)
    if (known) return known.response
    const response = this.#call(call, key, input)
    // The caller handles a rejection.
    response.catch(() => {})
    this.#personal.set(name, { call: { key, input }, response })
    return response
  }

  async #call(call: ServedCall, key: string, input: RawInput): Promise<unknown> {
    const request = this.#request
    try {
      return await call(await normalizeInput(input), request, this.#reply)
    } catch (error) {
      const problem = toProblem(error)
      logError(request, problem)
      // The page of a refused form needs the header as well.
      if (problem.retryAfter !== undefined && !key.startsWith('GET '))
        this.#reply.header('retry-after', String(problem.retryAfter))
      // As over HTTP: a page is the same with and without scripts.
      throw call.namesFields ? problem : withoutFields(problem)
    }
  }

  /** The personal calls so far. */
  get personalCalls(): PersonalCall[] {
    return [...this.#personal.values()].map(({ call }) => call)
  }
}

const withoutFields = (problem: Problem): Problem => {
  const { status, message, errors, retryAfter } = problem
  return new Problem(status, message, { errors, retryAfter, cause: problem })
}

/** A key for a call and its input. */
export const callKey = (key: string, { params, query, headers }: RawInput): string =>
  `${key} ${JSON.stringify([params, query, headers])}`

/** Renders the page of a request, or the error page of its refusal. */
export async function render(
  pages: ServedPages,
  request: FastifyRequest,
  { ask }: Pick<ServerApiClient, 'ask'>,
  refusal?: { status: number; message: string },
): Promise<Rendered> {
  // An error page must not need the database.
  const [renderer, shop, links] = await Promise.all([
    pages.renderer(),
    pages.shop(request, refusal !== undefined),
    refusal ? [] : pages.links(request),
  ])
  return renderer.render(webRequest(request, refusal !== undefined), {
    ask,
    origin: publicOrigin(request),
    shop,
    links,
    assets: pages.assets,
    ...(refusal ? { refusal } : {}),
    report: error => request.log.error({ err: error }, 'page failed'),
    requestId: request.id,
    matched: pattern => {
      request.page = pattern
    },
  })
}

/** Sends a rendered page or redirect. Longer pages are compressed, for clients that accept gzip. */
export async function send(reply: FastifyReply, { status, headers, html }: Rendered): Promise<unknown> {
  for (const name of ['content-type', 'location', 'allow', 'referrer-policy']) {
    const value = headers.get(name)
    if (value) reply.header(name, value)
  }
  // Post/Redirect/Get: after a form, 303 makes the browser send a GET.
  const sentForm = status === 302 && reply.request.method === 'POST'
  reply
    .code(sentForm ? 303 : status)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'cookie, accept-encoding')
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', '2')
  if (html.length < MIN_COMPRESSED || !reply.request.headers['accept-encoding']?.includes('gzip'))
    return reply.send(html)
  return reply.header('content-encoding', 'gzip').send(await compressGzip(html, { level: 1 }))
}
