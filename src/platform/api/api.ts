import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Answer, type Asked, type Call, type Calls, firstMessages } from '#contract'
import { Problem } from '#problem'
import { cachedForAll } from '../cache/request-cache.ts'
import type { LoadFragment } from '../cache/response-cache.ts'
import type { Database } from '../database/database.ts'
import { FOR_EVERYBODY } from '../http/cached-text.ts'
import { NOT_JSON } from '../http/error-handler.ts'
import { Form, receiveFile, type Upload, type UploadGuard } from '../http/upload.ts'
import { linkToNext, pageByPage } from './list-pages.ts'
import { compiled } from './response-schema.ts'
import { serialize } from './serialize.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** 'METHOD /api/path/:param' → the call, for pages that are rendered in this process. */
    calls: Map<string, ServedCall>
  }
}

/** A call with its rules around it: takes what the wire brought, answers what may leave. */
interface ServedCall {
  (raw: RawInput, request: FastifyRequest, reply: FastifyReply): Promise<unknown>
  /** The answer is the same whoever asks. */
  forEverybody: boolean
  /** Whether HEAD is allowed besides GET: not where the GET changes something. */
  allowsHead: boolean
}
export interface RawInput {
  params?: unknown
  query?: unknown
  body?: unknown
  headers?: Record<string, string>
}

type Handled<C extends Call> = C['takes'] extends 'multipart'
  ? Omit<Asked<C>, 'body'> & { body: Upload }
  : Asked<C>
type Of<C extends Calls, K extends keyof C> = Extract<C[K], Call>
/**
 * What is the same for everybody can depend on nothing but what is asked, and may come from a replica. Other looks can depend
 * on whose cookie it is besides, and on nothing else: their answers may be given again.
 */
type Handle<C extends Call> = C extends { concerns: 'everybody' }
  ? (asked: Handled<C>, db: Database, part: LoadFragment) => Promise<Answer<C>>
  : (asked: Handled<C>, request: FastifyRequest, reply: FastifyReply) => Promise<Answer<C>>
/**
 * Throws for whoever may not make the call, whatever they send. It is asked only where the input is refused, before that
 * refusal is told: with good input the handler finds out itself, often in the statement that does the work.
 */
type Guard<C extends Call> = (asked: Pick<Asked<C>, 'params'>, request: FastifyRequest) => Promise<unknown>
interface Around<C extends Call> {
  guard?: Guard<C>
  /** For calls that take a file. */
  file?: UploadGuard
}

/**
 * Binds a slice's calls to their handlers: `on('GET /api/users/:id', async (asked, request) => …)`.
 * Input is checked before the handler sees it; from its answer everything the contract does not name is removed.
 */
export function createApi<C extends Calls>(app: FastifyInstance, calls: C) {
  function on<K extends keyof C & string>(key: K, handle: Handle<Of<C, K>>): void
  function on<K extends keyof C & string>(key: K, around: Around<Of<C, K>>, handle: Handle<Of<C, K>>): void
  function on<K extends keyof C & string>(key: K, ...given: unknown[]): void {
    const handle = given.pop()
    const { guard, file } = (given[0] ?? {}) as Around<Of<C, K>>
    const call = calls[key] as Call
    const work = handle as (asked: unknown, ...given: unknown[]) => Promise<unknown>
    const promised = compiled(call.answer)
    const whole = async (asked: unknown, ...given: unknown[]) => promised(await work(asked, ...given))
    const answer = call.cursorOf ? pageByPage(call, call.cursorOf, whole as never) : whole
    const [method = '', path = ''] = key.split(' ')
    const serve = async (raw: RawInput, request: FastifyRequest, reply: FastifyReply) => {
      const params = named(call, raw.params)
      let asked: unknown
      try {
        asked = { params, ...checked(call, raw, request.headers) }
      } catch (refusal) {
        await guard?.({ params } as never, request)
        throw refusal
      }
      if (call.concerns === 'everybody') {
        const read = (db: Database, part: LoadFragment) => answer(asked as never, db, part)
        return cachedForAll(request, `${key} ${JSON.stringify(asked)}`, read, serialize)
      }
      const answered = await answer(asked as never, request, reply)
      // Clears the cache before responding: whoever made the change never reads an older answer.
      if (method !== 'GET' && call.concerns !== 'nobody') app.cache.invalidateAll()
      return answered
    }
    // A GET that concerns nobody else changes something of the one who asks.
    const allowsHead = method === 'GET' && call.concerns !== 'nobody'
    app.calls.set(key, Object.assign(serve, { forEverybody: call.concerns === 'everybody', allowsHead }))
    app.route({
      method,
      url: path.replace(/\/$/, ''),
      exposeHeadRoute: allowsHead,
      config: configOf(call, file),
      handler: async (request, reply) => {
        await file?.authorize(request)
        const body =
          call.takes === 'multipart'
            ? await receiveFile(request, file?.sniff).catch(error => new Unreadable(error))
            : receiveJson(request)
        const answer = await serve({ params: request.params, query: request.query, body }, request, reply)
        // What belongs to one person is kept nowhere; what is the same for all is asked for again each time.
        reply.header('cache-control', call.concerns === 'everybody' ? FOR_EVERYBODY : 'no-store')
        const link = linkToNext(request.url, answer)
        if (link !== undefined) reply.header('link', link)
        // A handler may have set a status of its own (a redirect after logging out).
        if (reply.statusCode === 200) reply.code(call.status ?? 200)
        return reply.type('application/json; charset=utf-8').send(serialize(answer).sent)
      },
    })
  }
  return on
}

/** Route options of a call, which the hooks in `http` read. */
const configOf = ({ errors, takes, cost }: Call, guard: UploadGuard | undefined) => ({
  errors,
  ...(takes === 'multipart' ? { large: () => true, ...(guard && { sender: guard.authorize }) } : {}),
  ...(cost ? { cost: () => cost } : {}),
})

/** What the path names. @throws Problem 404 for a path that names nothing */
function named(call: Call, raw: unknown): unknown {
  const params = call.params?.safeParse(raw)
  if (params && !params.success) throw new Problem(404, 'There is nothing at this address')
  return params?.data
}

/** Input that holds every rule of the call. @throws Problem 400 with all messages, or why the body cannot be read */
function checked(call: Call, raw: RawInput, sent: FastifyRequest['headers']) {
  if (raw.body instanceof Unreadable) throw raw.body.refusal
  const query = call.query?.safeParse(raw.query)
  if (query && !query.success) throw invalid(query.error.issues)
  const headers = call.headers?.safeParse(sent)
  if (headers && !headers.success) throw invalid(headers.error.issues)
  if (call.takes === 'multipart') return { query: query?.data, body: raw.body }
  // Also where none is asked for: whoever sends one has something else in mind.
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

/** The parsed body. Forms with files are understood by calls that take a file, and only there. @throws Problem 415 */
function receiveJson(request: FastifyRequest): unknown {
  if (request.body instanceof Form) throw new Problem(415, NOT_JSON)
  return request.body
}

/** A body that cannot be read. Its refusal is told by the call, which may have another for who sends it. */
class Unreadable {
  readonly refusal: unknown
  constructor(refusal: unknown) {
    this.refusal = refusal
  }
}

/** JSON bodies; an empty one is no body, whatever the content type announces. */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body as string, (error, read) => done(null, error ? new Unreadable(error) : read))
  })
}
