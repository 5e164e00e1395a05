import type { FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'

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
 * @param read may be called twice, and may be given a copy of the database @param size tells about how much room it takes
 */
export async function forEverybody<T>(
  request: FastifyRequest,
  key: string,
  read: (db: Database) => Promise<T>,
  size: (value: T) => { bytes: number },
): Promise<T> {
  const { kept, reads } = request.server
  const load = () => reads.forEverybody(read)
  return (await mayHaveKept(request)) ? kept.get(key, load, size) : load()
}
