import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { canReadCache } from '../cache/request-cache.ts'
import { type EncodedText, encodeText, PUBLIC_NO_CACHE, sendEncoded } from '../http/encoded-text.ts'
import { toProblem } from '../http/error-handler.ts'
import { publicOrigin } from '../http/origin.ts'
import type { Rendered, ServedPages } from './renderer.ts'
import { callKey, type PersonalCall, render, ServerApiClient, send } from './rendering.ts'

interface CachedPage {
  text: EncodedText
  /** The pattern of its route: '/users/:id'. */
  route: string
}

/**
 * Sends a public page from the cache, or renders and caches it. Not cached are pages with another status than 200,
 * pages with a token in their URL, and pages that made a call other than GET, because only reads are the same for all
 * visitors.
 */
export async function sendPublic(
  pages: ServedPages,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  let newPage: Rendered | undefined
  // The origin is in the key, since the page contains its URL, and clients choose the host unless PUBLIC_URL is set.
  const page = await request.server.cache.getOrLoad(
    `page ${publicOrigin(request)}${request.url}`,
    async () => {
      const client = new ServerApiClient(request, reply)
      newPage = await render(pages, request, client)
      if (!isCacheableResponse(newPage) || client.madeChange) return undefined
      return { text: await encodeText(newPage.html, { brotli: true }), route: request.page }
    },
    sizeOf,
  )
  if (!page)
    return send(reply, newPage ?? (await render(pages, request, new ServerApiClient(request, reply))))
  return sendPage(request, reply, page, PUBLIC_NO_CACHE)
}

/** URL → the personal calls that its page has made so far. */
const dependencies = new LRUCache<string, PersonalCall[]>({ max: 2_000 })

/**
 * Sends the page of a user, or of a visitor with a cookie. Its personal calls run for each request, and a digest of
 * their responses is part of the cache key: equal responses give the cached page. One of them names the user, so no
 * user gets the page of another. A change of public data clears the cache.
 */
export async function sendPersonal(
  pages: ServedPages,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const client = new ServerApiClient(request, reply)
  const url = publicOrigin(request) + request.url
  const known = (await canReadCache(request)) ? dependencies.get(url) : undefined
  if (!known) {
    const rendered = await render(pages, request, client)
    if (isCacheableResponse(rendered)) recordDependencies(url, client)
    return send(reply, rendered)
  }
  const responses = await Promise.all(known.map(({ key, input }) => client.ask(key, input).catch(refusalOf)))
  if (responses.some(response => (response as { status?: unknown } | null)?.status === 403)) {
    // The known calls are those of another user, for whom the page was rendered last: they differ by user at this
    // URL.
    dependencies.delete(url)
    return send(reply, await render(pages, request, client))
  }
  let newPage: Rendered | undefined
  const page = await request.server.cache.getOrLoad(
    `person's page ${url} ${digest(JSON.stringify(responses))}`,
    async () => {
      newPage = await render(pages, request, client)
      // The page has made further personal calls: the cache key would be incomplete.
      if (newPage.status !== 200 || !recordDependencies(url, client)) return undefined
      // The fastest compression level, since there are many such pages.
      return { text: await encodeText(newPage.html, { level: 1 }), route: request.page }
    },
    sizeOf,
  )
  if (!page) return send(reply, newPage ?? (await render(pages, request, client)))
  return sendPage(request, reply, page, 'private, no-cache')
}

/**
 * Not cached: a page with a token in its URL, which sets Referrer-Policy, and a page with an idempotency key, which
 * sets `no-store`. That Cache-Control is for this cache only: browsers get the one of every page.
 */
const isCacheableResponse = ({ status, headers }: Rendered) =>
  status === 200 && !headers.has('referrer-policy') && headers.get('cache-control') !== 'no-store'

const refusalOf = (error: unknown) => {
  const { status, message } = toProblem(error)
  return { status, message }
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

/**
 * Adds the personal calls of a page to `dependencies`.
 * @returns whether the cache key was complete: false if there are new ones, or the page must not be cached
 */
function recordDependencies(url: string, client: ServerApiClient): boolean {
  const before = dependencies.get(url) ?? []
  const keys = new Set(before.map(({ key, input }) => callKey(key, input)))
  const more = client.personalCalls.filter(({ key, input }) => !keys.has(callKey(key, input)))
  // A page of personal calls alone may have another idempotency key in each view.
  if (client.madeChange || !client.madePublicCall) {
    dependencies.delete(url)
    return false
  }
  dependencies.set(url, [...before, ...more])
  return more.length === 0
}

const sizeOf = (page: CachedPage | undefined) => ({ bytes: page?.text.bytes ?? 0 })

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, route }: CachedPage,
  caching: string,
) {
  request.page = route
  reply.headers({ 'cache-control': caching, vary: 'cookie, accept-encoding' })
  return sendEncoded(request, reply, text, 'text/html; charset=utf-8')
}
