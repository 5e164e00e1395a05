import type { FastifyRequest } from 'fastify'

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
