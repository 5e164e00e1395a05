import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Call, type CallInput, type CallOutput, type Calls, firstMessages, type Id } from '#contract'
import { Problem } from '#problem'
import { cachedForAll } from '../cache/request-cache.ts'
import type { LoadFragment } from '../cache/response-cache.ts'
import type { Database } from '../database/database.ts'
import { PUBLIC_NO_CACHE } from '../http/encoded-text.ts'
import { NOT_JSON } from '../http/error-handler.ts'
import { receiveFile, type Upload, type UploadGuard } from '../http/upload.ts'
import { linkToNext, paginate } from './list-pages.ts'
import { jitParser } from './response-schema.ts'
import { serialize } from './serialize.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** 'METHOD /api/path/:param' → the call, for pages that are rendered in this process. */
    calls: Map<string, ServedCall>
  }
}

/** A call that is ready to be served: it checks the raw input, and returns the response as the contract describes it. */
export interface ServedCall {
  (raw: RawInput, request: FastifyRequest, reply: FastifyReply): Promise<unknown>
  /** Whether the response is public: the same for all users. */
  isPublic: boolean
  /** Whether HEAD is allowed besides GET: not where the GET changes something. */
  allowsHead: boolean
  /** Whether its refusals say which field is wrong. */
  namesFields: boolean
}
/** The input of a call before it is validated: strings in params and query, the parsed body. */
export interface RawInput {
  params?: unknown
  query?: unknown
  /** An Error if it could not be parsed. The call throws it later, since 401, 403 and 404 come first. */
  body?: unknown
  headers?: IncomingHttpHeaders
}

type Handled<C extends Call> = C['consumes'] extends 'multipart'
  ? Omit<CallInput<C>, 'body'> & { body: Upload }
  : CallInput<C>
type CallOf<C extends Calls, K extends keyof C> = Extract<C[K], Call>
/**
 * The handler of a call. That of a public call gets the input and a database, which may be the read replica: its response must
 * not depend on anything else, since it is cached. The response of another GET may depend on the cookies as well, and on nothing
 * else, since it may be cached for that cookie.
 */
type Handle<C extends Call> = C extends { visibility: 'public' }
  ? (input: Handled<C>, db: Database, loadFragment: LoadFragment) => Promise<CallOutput<C>>
  : (input: Handled<C>, request: FastifyRequest, reply: FastifyReply) => Promise<CallOutput<C>>
/**
 * Throws a Problem if the user may not make the call, whatever the input. It runs only for invalid input, before the 400 is
 * sent, so that 401, 403 and 404 come first. With valid input the handler checks the permission itself, often in its SQL.
 */
type Guard<C extends Call> = (
  input: Pick<CallInput<C>, 'params'>,
  request: FastifyRequest,
) => Promise<unknown>
interface Options<C extends Call> {
  guard?: Guard<C>
  /** For calls that take a file. */
  file?: UploadGuard
  /** For calls with `maxBytes`: who sends a body over 64 kB, looked up before it is read. It may throw a Problem. */
  sender?: (request: FastifyRequest) => Promise<{ id: Id }>
}

/**
 * Returns a function that adds the route of a call: `on('GET /api/users/:id', async (input, request) => …)`. The input is
 * validated before the handler runs. Properties that the contract does not name are removed from the response.
 */
export function createApi<C extends Calls>(app: FastifyInstance, calls: C) {
  function on<K extends keyof C & string>(key: K, handle: Handle<CallOf<C, K>>): void
  function on<K extends keyof C & string>(
    key: K,
    options: Options<CallOf<C, K>>,
    handle: Handle<CallOf<C, K>>,
  ): void
  function on<K extends keyof C & string>(key: K, ...args: unknown[]): void {
    const handle = args.pop()
    const { guard, file, sender } = (args[0] ?? {}) as Options<CallOf<C, K>>
    const call = calls[key] as Call
    const run = handle as (input: unknown, ...args: unknown[]) => Promise<unknown>
    const parseResponse = jitParser(call.response)
    const parsed = async (input: unknown, ...args: unknown[]) => parseResponse(await run(input, ...args))
    const respond = call.cursorOf ? paginate(call, call.cursorOf, parsed as never) : parsed
    const [method = '', path = ''] = key.split(' ')
    const allowsHead = method === 'GET' && !call.changes
    const isPublic = call.visibility === 'public'
    const takesFile = call.consumes === 'multipart'
    const serve = async (raw: RawInput, request: FastifyRequest, reply: FastifyReply) => {
      const params = validateParams(call, raw.params)
      let input: unknown
      try {
        input = { params, ...validateInput(call, raw) }
      } catch (refusal) {
        await guard?.({ params } as never, request)
        throw refusal
      }
      if (isPublic) {
        const read = (db: Database, loadFragment: LoadFragment) => respond(input as never, db, loadFragment)
        return cachedForAll(request, `${key} ${JSON.stringify(input)}`, read, serialize)
      }
      if (allowsHead) return respond(input as never, request, reply)
      const { epoch } = app.cache
      try {
        return await respond(input as never, request, reply)
      } finally {
        // Read-your-writes, also after an error: after a public change other processes are notified before the response is sent.
        if (epoch === undefined || app.cache.epoch !== epoch) await app.cache.published()
      }
    }
    const namesFields = call.errors === 'fields'
    app.calls.set(key, Object.assign(serve, { isPublic, allowsHead, namesFields }))
    app.route({
      method,
      url: path.replace(/\/$/, ''),
      exposeHeadRoute: allowsHead,
      ...(call.maxBytes ? { bodyLimit: call.maxBytes } : {}),
      config: configOf(call, file?.authorize ?? sender),
      handler: async (request, reply) => {
        await file?.authorize(request)
        // Only a multipart form is a stream here.
        if (!takesFile && request.body instanceof Readable) throw new Problem(415, NOT_JSON)
        const body = takesFile
          ? await receiveFile(request, { ...file, field: call.field }).catch((error: Error) => error)
          : request.body
        const { params, query, headers } = request
        const response = await serve({ params, query, headers, body }, request, reply)
        // Personal responses are not stored; public ones are validated before each use.
        reply.header('cache-control', isPublic ? PUBLIC_NO_CACHE : 'no-store')
        const link = linkToNext(request.url, response)
        if (link !== undefined) reply.header('link', link)
        // Unless the handler has set a status.
        if (reply.statusCode === 200) reply.code(call.status ?? 200)
        return reply.type('application/json; charset=utf-8').send(serialize(response).json)
      },
    })
  }
  return on
}

/** Route options of a call, which the hooks in `http` read. */
const configOf = ({ errors, consumes, cost, maxBytes }: Call, sender: Options<Call>['sender']) => ({
  errors,
  ...(consumes === 'multipart' || maxBytes ? { large: () => true, ...(sender && { sender }) } : {}),
  ...(cost ? { cost: () => cost } : {}),
})

/** The parameters of the path. @throws Problem 404 if they are invalid */
function validateParams(call: Call, raw: unknown): unknown {
  const params = call.params?.safeParse(raw)
  if (params && !params.success) throw new Problem(404, 'There is nothing at this address')
  return params?.data
}

/** Validates query, headers and body. @throws Problem 400 with all messages, or the error of the body parser */
function validateInput(call: Call, raw: RawInput) {
  if (raw.body instanceof Error) throw raw.body
  const query = call.query?.safeParse(raw.query)
  if (query && !query.success) throw invalid(query.error.issues)
  const headers = call.headers?.safeParse(raw.headers ?? {})
  if (headers && !headers.success) throw invalid(headers.error.issues)
  if (call.consumes === 'multipart') return { query: query?.data, headers: headers?.data, body: raw.body }
  // Also for calls without a body: a client that sends an array expects something else.
  if (raw.body !== undefined && (typeof raw.body !== 'object' || Array.isArray(raw.body))) {
    throw new Problem(400, 'The body must be a JSON object')
  }
  const body = call.body?.safeParse(raw.body ?? {})
  if (body && !body.success) throw invalid(body.error.issues)
  return { query: query?.data, headers: headers?.data, body: body?.data }
}

function invalid(issues: readonly { path: readonly PropertyKey[]; message: string }[]): Problem {
  const fields = firstMessages(issues)
  const errors = Object.values(fields)
  return new Problem(400, errors[0] ?? 'Something in the request is not valid', { errors, fields })
}

/** Parses JSON bodies. An empty body is no body, with any content type; an invalid one becomes an Error. */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body as string, (error, read) => done(null, error ?? read))
  })
}
