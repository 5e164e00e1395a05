import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Id } from '#contract'
import type { Database } from '../database/database.ts'
import type { Part } from './kept.ts'
import type { Moment } from './personal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The generation of kept answers in which this request came; undefined where nothing is kept. */
    since: number | undefined
    /** When it came; undefined where nothing personal is held. */
    moment: Moment | undefined
    /** Whose request it has turned out to be, null for a visitor's; undefined until that is known. */
    person: Id | null | undefined
  }
}

/** Notes with each request what had changed when it came, by which its answer is older or younger than another. */
export function noteChanges(app: FastifyInstance): void {
  app
    .decorateRequest('since', undefined)
    .decorateRequest('moment', undefined)
    .decorateRequest('person', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    request.since = app.kept.generation
    request.moment = app.kept.personal?.moment()
    done()
  })
}

/** One look a request, however many calls a page makes. */
const looks = new WeakMap<FastifyRequest, Promise<boolean>>()
const YES = Promise.resolve(true)

/**
 * Whether a request may be given what is kept. A visitor may, always. Whoever carries a cookie may have changed
 * something a moment ago, through another process: this one first hears of all that was changed by then.
 * @throws Error where the database does not answer
 */
export function mayHaveKept(request: FastifyRequest): Promise<boolean> {
  if (!request.headers.cookie) return YES
  let look = looks.get(request)
  if (!look) {
    look = request.server.kept.caughtUp()
    looks.set(request, look)
  }
  return look
}

/**
 * What everybody is told, kept until something public changes.
 * @param read may be called twice, and may be given a copy of the database; what it has in common with other answers it
 * asks for as a part @param size tells about how much room it takes
 */
export async function forEverybody<T>(
  request: FastifyRequest,
  key: string,
  read: (db: Database, part: Part) => Promise<T>,
  size: (value: T) => { bytes: number },
): Promise<T> {
  const { kept, reads } = request.server
  if (!(await mayHaveKept(request))) return reads.forEverybody(db => read(db, unshared))
  const load = () => {
    const since = kept.generation
    return reads.forEverybody(db => read(db, (...asked) => kept.part(since, ...asked)))
  }
  return kept.get(key, load, size)
}

/** A part that is neither looked for nor kept. */
export const unshared: Part = (_key, load) => load()

/**
 * What only one person is told: asked anew each time, or, where this process makes every change, held for a second unless
 * that person or something public changes meanwhile. It is held for their very cookie, so nobody can be given another's.
 * @param size tells about how much room it takes
 */
export async function forPerson<T>(
  request: FastifyRequest,
  key: string,
  ask: () => Promise<T>,
  size: (value: T) => { bytes: number },
): Promise<T> {
  const { personal } = request.server.kept
  const { cookie } = request.headers
  // A form first changes something, or opens another session.
  if (!personal || !cookie || request.method !== 'GET') return ask()
  const name = `${cookie} ${key}`
  const held = personal.find(name) as T | undefined
  if (held !== undefined) return held
  const answer = await ask()
  const { person, moment } = request
  if (person && moment) personal.put(name, { answer, person, asked: moment }, size(answer).bytes)
  return answer
}

/** After a request that may have changed what only one person is told: whatever they were told holds no more. */
export function changedForPerson({ server, person }: FastifyRequest): void {
  // A visitor has changed nothing of anybody's.
  if (person !== null) server.kept.personal?.changed(person)
}
