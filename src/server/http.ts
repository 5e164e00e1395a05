import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Answer,
  type Asked,
  type Call,
  type Calls,
  FieldRefusal,
  firstMessages,
  Refusal,
} from '#contract'
import { type FieldErrors, Problem } from '#problem'
import type { Config } from './config.ts'
import { type Database, isUnavailable } from './database.ts'
import type { Files } from './files.ts'
import type { Kept } from './kept.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    errors?: Call['errors']
  }
  interface FastifyInstance {
    config: Config
    db: Database
    files: Files
    /** Answers that are the same for everybody, until something in the shop changes. */
    kept: Kept
    /** 'METHOD /api/path/:param' → the call behind it, for pages that ask without a detour over HTTP. */
    calls: Map<string, ServedCall>
  }
}

/** A call with its rules around it: takes what the wire brought, answers what may leave. */
type ServedCall = (raw: RawInput, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
export interface RawInput {
  params?: unknown
  query?: unknown
  body?: unknown
}

/** What reaches the handler of a call that takes a file. */
export interface Upload {
  image: Buffer
}
type Handled<C extends Call> = C['takes'] extends 'multipart'
  ? Omit<Asked<C>, 'body'> & { body: Upload }
  : Asked<C>
type Of<C extends Calls, K extends keyof C> = Extract<C[K], Call>

/**
 * Binds a slice's calls to their handlers: `on('GET /api/orders/', async (asked, request) => …)`.
 * Input is checked before the handler sees it; from its answer everything the contract does not name is removed.
 */
export function serving<C extends Calls>(app: FastifyInstance, calls: C) {
  return <K extends keyof C & string>(
    key: K,
    handle: (
      asked: Handled<Of<C, K>>,
      request: FastifyRequest,
      reply: FastifyReply,
    ) => Promise<Answer<Of<C, K>>>,
  ): void => {
    const call = calls[key] as Call
    const [method = '', path = ''] = key.split(' ')
    const serve: ServedCall = async (raw, request, reply) => {
      const asked = checked(call, raw)
      const work = async () =>
        call.answer.parse(await handle(asked as unknown as Handled<Of<C, K>>, request, reply))
      if (call.concerns === 'everybody') return app.kept.get(`${key} ${JSON.stringify(asked)}`, work, textOf)
      const answer = await work()
      // Before anybody hears of the change: whoever made it never reads an older answer.
      if (method !== 'GET' && call.concerns !== 'nobody') app.kept.drop()
      return answer
    }
    app.calls.set(key, serve)
    app.route({
      method,
      url: path.replace(/\/$/, ''),
      exposeHeadRoute: method === 'GET',
      config: { errors: call.errors },
      handler: async (request, reply) => {
        const body = call.takes === 'multipart' ? await receiveFile(request) : receiveJson(request)
        const answer = await serve({ params: request.params, query: request.query, body }, request, reply)
        // A handler may have set a status of its own (a redirect after logging out).
        if (reply.statusCode === 200) reply.code(call.status ?? 200)
        return reply.type('application/json; charset=utf-8').send(textOf(answer).text)
      },
    })
  }
}

/** The JSON of answers that are kept, written once. */
const texts = new WeakMap<object, { text: string; bytes: number }>()

/** An answer as it is sent, and about how much room it takes. */
function textOf(answer: unknown): { text: string; bytes: number } {
  const known = texts.get(answer as object)
  if (known) return known
  const text = JSON.stringify(answer)
  const written = { text, bytes: 3 * text.length }
  texts.set(answer as object, written)
  return written
}

/** Input that holds every rule of the call. @throws Problem 404 for a path that names nothing, 400 with all messages */
function checked(call: Call, raw: RawInput) {
  const params = call.params?.safeParse(raw.params)
  if (params && !params.success) throw new Problem(404, 'There is nothing at this address')
  const query = call.query?.safeParse(raw.query)
  if (query && !query.success) throw invalid(query.error.issues)
  if (call.takes === 'multipart') return { params: params?.data, query: query?.data, body: raw.body }
  if (call.body && raw.body !== undefined && (typeof raw.body !== 'object' || Array.isArray(raw.body))) {
    throw new Problem(400, 'The body must be a JSON object')
  }
  const body = call.body?.safeParse(raw.body ?? {})
  if (body && !body.success) throw invalid(body.error.issues)
  return { params: params?.data, query: query?.data, body: body?.data }
}

function invalid(issues: readonly { path: readonly PropertyKey[]; message: string }[]): Problem {
  const fields = firstMessages(issues)
  const errors = Object.values(fields)
  return new Problem(400, errors[0] ?? 'Something in the request is not valid', { errors, fields })
}

/** The parsed body. Forms with files are understood by calls that take a file, and only there. @throws Problem 415 */
function receiveJson(request: FastifyRequest): unknown {
  if (request.isMultipart()) throw new Problem(415, NOT_JSON)
  return request.body
}

/** Reads the one file of a multipart body into memory, counting its bytes. @throws Problem 400, 413 or 415 */
async function receiveFile(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart())
    throw new Problem(415, 'Send the file as multipart/form-data in the field image')
  const part = await request.file().catch(damaged)
  if (part?.fieldname !== 'image') {
    part?.file.resume()
    throw new Problem(400, 'Photo or video is required')
  }
  const image = await part.toBuffer().catch(damaged)
  // The library can hand over a cut file without a word.
  if (part.file.truncated) throw new Problem(413, 'Files can be at most 10 MB')
  return { image }
}

/** What the multipart parser throws without a status is the sender's: no boundary, or a form that ends midway. */
function damaged(error: Error & { statusCode?: number }): never {
  throw error.statusCode
    ? error
    : new Problem(400, 'The form is damaged or incomplete; please send it again', { cause: error })
}

/** After all routes: every other method of a path that exists answers 405 and names the methods that are allowed. */
export function refuseOtherMethods(app: FastifyInstance): void {
  const allowed = new Map<string, string[]>()
  for (const key of app.calls.keys()) {
    const [method = '', path = ''] = key.split(' ')
    const url = path.replace(/\/$/, '')
    allowed.set(url, [...(allowed.get(url) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])])
  }
  // Paths that differ only in a parameter's name are one path.
  for (const [url, methods] of mergeSamePaths(allowed)) allowOnly(app, url, methods)
}

/** Answers 405 to every method of a path but these. */
export function allowOnly(app: FastifyInstance, url: string, methods: string[]): void {
  const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('allow', methods.join(', '))
    throw new Problem(405, `${request.method} is not allowed here; allowed: ${methods.join(', ')}`)
  }
  const all = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
  const method = all.filter(name => !methods.includes(name))
  // As a hook it speaks before the body is read: what the body holds does not matter here.
  app.route({ method, url, exposeHeadRoute: false, onRequest: refuse, handler: refuse })
}

function mergeSamePaths(paths: Map<string, string[]>): Map<string, string[]> {
  const merged = new Map<string, string[]>()
  for (const [url, methods] of paths) {
    const same = [...merged.keys()].find(known => known.replace(/:\w+/g, ':') === url.replace(/:\w+/g, ':'))
    merged.set(same ?? url, [...(same ? (merged.get(same) ?? []) : []), ...methods])
  }
  return merged
}

/** One handler speaks for every error of the API: status, words, and nothing of what happened inside. */
export function speakForErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = asProblem(error)
    if (problem.status >= 500) request.log.error({ err: error }, 'request failed')
    if (problem.retryAfter !== undefined) reply.header('retry-after', String(problem.retryAfter))
    reply.header('cache-control', 'no-store')
    return reply.code(problem.status).send(errorBody(problem, request.routeOptions.config.errors))
  })
  app.setNotFoundHandler(() => {
    throw new Problem(404, 'There is nothing at this address')
  })
}

/** Speaks for what Fastify refuses before any hook: an address that cannot be decoded. */
export function speakForFramework(error: Error, _request: FastifyRequest, reply: FastifyReply): void {
  const problem = asProblem(error)
  void reply.code(problem.status).send(errorBody(problem, undefined))
}

/** Speaks where what arrived was no request at all: broken syntax, endless headers, or nothing for too long. */
export function speakForConnections(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, message] = unreadable[error.code ?? ''] ?? [400, 'The request could not be understood']
  const body = JSON.stringify(errorBody(new Problem(status, message), undefined))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

const unreadable: Record<string, [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large'],
}

/** The body of an error as the specification has it for the call. */
export function errorBody(problem: Problem, shape: Call['errors']): FieldErrors | Refusal {
  if (shape === 'fields') return FieldRefusal.parse(problem.fields ?? { server: problem.message })
  return Refusal.parse({ message: problem.message, errors: problem.errors })
}

const NOT_JSON = 'This content type is not understood here; send application/json'

/** Sentences for what the HTTP layer refuses before a handler runs. */
const refusals: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: NOT_JSON,
  FST_ERR_CTP_BODY_TOO_LARGE: 'The request is too large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The length of the body is not what was announced',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON',
  FST_REQ_FILE_TOO_LARGE: 'Files can be at most 10 MB',
  FST_FILES_LIMIT: 'Send one file at a time',
  FST_PARTS_LIMIT: 'The form has too many parts',
  FST_FIELDS_LIMIT: 'The form has too many fields',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'Send the file as multipart/form-data in the field image',
}

/** Any error as the refusal that a client may see. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { statusCode, code = '' } = error as { statusCode?: number; code?: string }
  if (isUnavailable(error)) {
    return new Problem(503, 'The shop is busy or being restarted. Please try again', {
      retryAfter: 2,
      cause: error,
    })
  }
  if (statusCode && statusCode >= 400 && statusCode < 500) {
    return new Problem(statusCode, refusals[code] ?? 'The request could not be understood', { cause: error })
  }
  return new Problem(500, 'Something went wrong. Please try again', { cause: error })
}

/**
 * True where a request that changes something may have been made by another site: browsers say so in
 * Sec-Fetch-Site; older ones in Origin or Referer. Programs that send none of them carry nobody's cookies.
 */
export function fromAnotherSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const source = request.headers.origin ?? request.headers.referer
  if (source === undefined) return false
  if (!URL.canParse(source)) return true
  const own = request.server.config.publicUrl
  return new URL(source).host !== (own ? new URL(own).host : request.host)
}

/** Refuses every request of another site that could change something. */
export function refuseOtherSites(app: FastifyInstance): void {
  app.addHook('onRequest', async request => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return
    if (fromAnotherSite(request)) throw new Problem(403, 'Requests from another site are not accepted')
  })
}

/** Requests in work at the same time; beyond it the answer is 503 at once instead of a slow one for everybody. */
const MAX_IN_FLIGHT = 400

/** Turns requests away while too many are in work. */
export function shedLoad(app: FastifyInstance): void {
  let inFlight = 0
  app.addHook('onRequest', async (_request, reply) => {
    inFlight++
    reply.raw.once('close', () => inFlight--)
    if (inFlight > MAX_IN_FLIGHT)
      throw new Problem(503, 'The shop is very busy. Please try again', { retryAfter: 1 })
  })
}

/** Bytes of a body that must arrive in each interval; a photo over the slowest mobile line is faster. */
const LEAST_BYTES = 8 * 1024
const INTERVAL_MS = 8_000

/** Ends requests whose body trickles in: each would hold a place for as long as it likes. */
export function refuseSlowBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    if (raw.complete || raw.headers['content-length'] === '0') return
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
    let before = raw.socket.bytesRead
    const watch = setInterval(() => {
      const arrived = raw.socket.bytesRead - before
      before += arrived
      if (raw.complete || arrived >= LEAST_BYTES) return
      clearInterval(watch)
      reply.raw.writeHead(408, { connection: 'close', 'content-type': 'application/json; charset=utf-8' })
      const message = 'The request came in too slowly. Please try again'
      reply.raw.end(JSON.stringify({ message, errors: [message] }), () => raw.socket.destroy())
    }, INTERVAL_MS)
    reply.raw.once('close', () => clearInterval(watch))
  })
}

/** JSON bodies; an empty one is no body, whatever the content type announces. */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}

/** Headers that hold the browser to what the shop needs: own scripts, own styles, own pictures, no frames. */
export function contentSecurity(config: Config) {
  const https = config.publicUrl?.startsWith('https:') ?? false
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        imgSrc: ["'self'", 'blob:', 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: https ? { maxAge: 63_072_000, includeSubDomains: true } : false,
    crossOriginOpenerPolicy: https ? { policy: 'same-origin' as const } : false,
    originAgentCluster: https,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' as const },
    xFrameOptions: { action: 'deny' as const },
  }
}
