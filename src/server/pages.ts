import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '#problem'
import { addressOf } from './address.ts'
import { serveAssets } from './assets.ts'
import { etagOf, isNamed } from './etag.ts'
import { plainPage } from './plain.ts'
import { asProblem, errorBody, note } from './problems.ts'
import type { Pages, RenderNeeds } from './renderer.ts'
import { asOnTheWire, webRequest } from './wire.ts'

/** A page that is the same for every visitor, with its compressed forms. */
interface KeptPage {
  status: number
  html: string
  br: Buffer
  gzip: Buffer
  etag: string
  /** Its pattern: '/products/:productId'. */
  page: string
}

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Bytes of a form with a photo: the largest file and the fields around it. */
const FORM_LIMIT = 11 * 1024 * 1024
/** Pages shorter than this are sent as they are, characters. */
const WORTH_COMPRESSING = 1_000

/** All pages: everything that is neither API nor file is given to the renderer. */
export async function pageRoutes(app: FastifyInstance, pages: Pages): Promise<void> {
  await serveAssets(app, pages)
  await app.register(async scope => {
    const { development } = pages
    if (development) {
      scope.addHook('onRequest', (request, reply, done) => {
        // Vite writes styles into the page.
        reply.removeHeader('content-security-policy')
        development(request.raw, reply.raw, done)
      })
    }
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error, request, reply) => refuse(pages, request, reply, asProblem(error)))
    scope.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: '/*',
      config: { cost: costOf },
      handler: (request, reply) =>
        !development && isForEverybody(request)
          ? sendKept(pages, request, reply)
          : sendFresh(pages, request, reply),
    })
    for (const url of ['/products/new', '/products/:productId/edit', '/settings/shop']) {
      scope.route({
        method: 'POST',
        url,
        bodyLimit: FORM_LIMIT,
        config: { large: mayBringPhoto, cost: costOf },
        handler: (request, reply) => sendFresh(pages, request, reply),
      })
    }
  })
}

/** Photos come in forms with files, from people who are signed in. */
const mayBringPhoto = (request: FastifyRequest) =>
  /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '') &&
  /(?:^|;\s*)(?:__Host-)?session=/.test(request.headers.cookie ?? '')

/** A visitor without any cookie sees what every such visitor sees. */
const isForEverybody = (request: FastifyRequest) =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !request.headers.cookie &&
  request.url.length < 300

/** How many small calls a page costs as much as: one that is kept, one to be rendered, a form that may log in. */
const costOf = (request: FastifyRequest) => (isForEverybody(request) ? 1 : request.method === 'POST' ? 6 : 3)

async function sendKept(pages: Pages, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  // A page names its own address, which whoever asks can choose where the settings do not say it.
  const key = `page ${addressOf(request)}${request.url}`
  let fresh: Response | undefined
  const page = await request.server.kept.get(
    key,
    async (): Promise<KeptPage | undefined> => {
      fresh = await render(pages, request)
      return fresh.status === 200 ? keep(fresh, request.page) : undefined
    },
    page => ({ bytes: page ? 2 * page.html.length + page.br.length + page.gzip.length : 0 }),
  )
  if (!page) return send(reply, fresh ?? (await render(pages, request)))
  request.page = page.page
  reply
    .header('etag', page.etag)
    .header('cache-control', 'public, no-cache')
    .header('vary', 'cookie, accept-encoding')
  if (isNamed(request.headers['if-none-match'], page.etag)) return reply.code(304).send()
  const accepts = request.headers['accept-encoding'] ?? ''
  const encoding = accepts.includes('br') ? 'br' : accepts.includes('gzip') ? 'gzip' : undefined
  if (encoding) reply.header('content-encoding', encoding)
  return reply
    .code(page.status)
    .type('text/html; charset=utf-8')
    .send(encoding ? page[encoding] : page.html)
}

async function keep(response: Response, page: string): Promise<KeptPage> {
  const html = await response.text()
  const [br, gz] = await Promise.all([
    compressBrotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    compressGzip(html),
  ])
  return { status: response.status, html, br, gzip: gz, etag: etagOf(html), page }
}

async function sendFresh(pages: Pages, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  return send(reply, await render(pages, request, { reply }))
}

async function render(
  pages: Pages,
  request: FastifyRequest,
  { reply, refusal }: { reply?: FastifyReply; refusal?: { status: number; message: string } } = {},
): Promise<Response> {
  const { calls, config } = request.server
  const ask: RenderNeeds['ask'] = async (key, input = {}) => {
    const call = calls.get(key)
    if (!call) throw new Error(`No such call: ${key}`)
    // What the caller would have sent along over HTTP.
    Object.assign(request.headers, input.headers)
    try {
      return await call(await asOnTheWire(input), request, reply as FastifyReply)
    } catch (error) {
      const problem = asProblem(error)
      note(request, problem)
      throw problem
    }
  }
  const renderer = await pages.renderer()
  const needs: RenderNeeds = {
    ask,
    address: addressOf(request),
    shop: { demo: config.demo },
    assets: pages.assets,
    ...(refusal ? { refusal } : {}),
    report: error => request.log.error({ err: error }, 'page failed'),
    requestId: request.id,
    matched: pattern => {
      request.page = pattern
    },
  }
  return renderer.render(webRequest(request, refusal !== undefined), needs)
}

async function send(reply: FastifyReply, response: Response): Promise<unknown> {
  for (const name of ['content-type', 'location', 'allow']) {
    const value = response.headers.get(name)
    if (value) reply.header(name, value)
  }
  // After a form, the browser is to look at the other address, whatever it was that it sent.
  const sentForm = response.status === 302 && reply.request.method === 'POST'
  reply
    .code(sentForm ? 303 : response.status)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'cookie, accept-encoding')
  if (response.status === 503) reply.header('retry-after', '2')
  const html = await response.text()
  if (html.length < WORTH_COMPRESSING || !reply.request.headers['accept-encoding']?.includes('gzip'))
    return reply.send(html)
  return reply.header('content-encoding', 'gzip').send(await compressGzip(html, { level: 1 }))
}

/** A refusal as a page with its real status; as JSON for those who ask for JSON alone. */
async function refuse(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): Promise<unknown> {
  const { status, message, retryAfter } = problem
  const plain = (code: number) =>
    reply
      .code(code)
      .type('text/html; charset=utf-8')
      .send(plainPage(pages.assets, code, request.id))
  note(request, problem)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  if (request.headers.accept === 'application/json')
    return reply.code(status).send(errorBody(problem, undefined))
  reply.header('cache-control', 'no-store')
  // Whoever is turned away costs nothing more: no page of theirs is loaded.
  if (status === 503) return plain(503)
  try {
    return await send(reply, await render(pages, request, { reply, refusal: { status, message } }))
  } catch (error) {
    request.log.error({ err: error }, 'the error page failed')
    return plain(500)
  }
}
