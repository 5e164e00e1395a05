import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseOtherSite } from './csrf.ts'
import { logError, toProblem } from './error-handler.ts'
import { allowOnly } from './method-not-allowed.ts'

/** A file that only its user may download. */
interface Download {
  path: string
  /** Cost in the admission queue. Not given: 1, that of a small request. */
  cost?: number
  send: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  /** Path to which a browser is redirected after an error, instead of seeing JSON. Undefined: it gets the error. */
  pageFor: (status: number, request: FastifyRequest) => string | undefined
}

/** Adds the route of a file that its user downloads by a link. A link on another site is refused with 403. */
export function downloadRoute(app: FastifyInstance, { path, cost = 1, send, pageFor }: Download): void {
  allowOnly(app, path, ['GET'])
  const config = { cost: () => cost }
  app.get(path, { exposeHeadRoute: false, config }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      refuseOtherSite(request)
      return await send(request, reply)
    } catch (error) {
      const problem = toProblem(error)
      const asksForPage = request.headers.accept?.includes('text/html')
      const page = asksForPage ? pageFor(problem.status, request) : undefined
      if (page === undefined) throw error
      logError(request, problem)
      return reply.redirect(page, 303)
    }
  })
}
