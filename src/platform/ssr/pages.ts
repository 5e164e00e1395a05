import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#problem'
import { errorBody, logError, toProblem } from '../http/error-handler.ts'
import { ALL_METHODS, requireAllowedMethod } from '../http/method-not-allowed.ts'
import { serveAssets } from './assets.ts'
import { refuseCostly } from './forms.ts'
import { sendPersonal, sendPublic } from './page-cache.ts'
import type { ServedPages } from './renderer.ts'
import { render, ServerApiClient, send } from './rendering.ts'

/** Methods of pages. Pages without an action refuse POST themselves. */
const PAGE_METHODS = ['GET', 'HEAD', 'POST']

/** Longest URL whose page is cached, characters. */
const MAX_URL = 300
/** Longest host whose pages are cached, characters: no host name is longer (RFC 1035, 2.3.4). */
const MAX_HOST = 255

/** A page whose form has other limits than every form: a larger body, or other sites that may send it. */
interface FormRoute {
  /** '/profile/:id/edit'. */
  url: string
  /** Bytes of the largest form; default: the 64 kB that every page accepts. */
  bodyLimit?: number
  /** What body-limits.ts and csrf.ts ask of a route. */
  config: FastifyContextConfig
}

/** Renders every URL that no other route serves, and serves the files that pages link. */
export async function pageRoutes(
  app: FastifyInstance,
  { forms, ...pages }: ServedPages & { forms: FormRoute[] },
): Promise<void> {
  await serveAssets(app, pages)
  await app.register(async scope => {
    const { development } = pages
    if (development) {
      scope.addHook('onRequest', (request, reply, done) => {
        // Vite adds inline styles, which the policy forbids.
        reply.removeHeader('content-security-policy')
        development(request.raw, reply.raw, done)
      })
    }
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
      refuseCostly(request.headers['content-type'] ?? '', body)
      return body
    })
    scope.setErrorHandler((error, request, reply) => refuse(pages, request, reply, toProblem(error)))
    scope.route({
      method: ALL_METHODS,
      url: '/*',
      config: { cost: costOf },
      handler: (request, reply) => {
        if (!PAGE_METHODS.includes(request.method)) {
          requireAllowedMethod(request, reply)
          throw new Problem(405, `${request.method} is not allowed here`)
        }
        if (development || !isCacheableRequest(request)) return sendRendered(pages, request, reply)
        const sendCached = isPublic(request) ? sendPublic : sendPersonal
        return sendCached(pages, request, reply)
      },
    })
    for (const { config, ...route } of forms) {
      scope.route({
        method: 'POST',
        ...route,
        config: { ...config, cost: costOf },
        handler: (request, reply) => sendRendered(pages, request, reply),
      })
    }
  })
}

const isCacheableRequest = ({ method, url, host }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && url.length < MAX_URL && host.length <= MAX_HOST

/** Whether the page is public: all clients without cookies get the same. */
const isPublic = (request: FastifyRequest) => isCacheableRequest(request) && !request.headers.cookie

/**
 * The cost of a page in small requests: 1 if it is public, and mostly cached; 3 if it is rendered; 6 for a form,
 * which may hash a password.
 */
const costOf = (request: FastifyRequest) => (isPublic(request) ? 1 : request.method === 'POST' ? 6 : 3)

async function sendRendered(
  pages: ServedPages,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  return send(reply, await render(pages, request, new ServerApiClient(request, reply)))
}

/** Responds to an error with its page and status, or as JSON for clients that accept JSON only. */
async function refuse(
  pages: ServedPages,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): Promise<unknown> {
  const { status, message, retryAfter } = problem
  const plain = (code: number) =>
    reply.code(code).type('text/html; charset=utf-8').send(pages.errorPage(code, request.id))
  logError(request, problem)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  reply.header('cache-control', 'no-store')
  // With `allow`, the refusal comes from a route that is no page.
  if (request.headers.accept === 'application/json' || reply.hasHeader('allow'))
    return reply.code(status).send(errorBody(problem))
  // Load shedding and limits: rendering a page would cost too much.
  if (status === 503 || status === 429) return plain(status)
  try {
    return await send(
      reply,
      await render(pages, request, new ServerApiClient(request, reply), { status, message }),
    )
  } catch (error) {
    request.log.error({ err: error }, 'the error page failed')
    return plain(500)
  }
}
