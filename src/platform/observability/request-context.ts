import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Pattern of the page that answers, '/users/:id', since all pages are one route of the server. '' for other routes. */
    page: string
  }
}

/** What a proxy may send as an id: enough to tell two requests apart, and nothing that could forge a line of the log. */
const WELL_FORMED = /^[\w.-]{8,64}$/

/**
 * Gives a request its id: the one that a trusted proxy has given it, else 48 random bits, '3f2a9c1e-7b4d', short enough to
 * be read out.
 */
export const requestIds =
  ({ trustProxy }: Pick<Config, 'trustProxy'>) =>
  ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
    const given = headers['x-request-id']
    return trustProxy > 0 && typeof given === 'string' && WELL_FORMED.test(given)
      ? given
      : randomUUID().slice(0, 13)
  }

/** Whether each answer is a line of the log. */
export const logsEverything = ({ logLevel }: Pick<Config, 'logLevel'>): boolean =>
  ['info', 'debug'].includes(logLevel)

const current = new AsyncLocalStorage<FastifyRequest>()

/** The request in whose work this is asked, undefined outside of any. */
export const currentRequest = (): FastifyRequest | undefined => current.getStore()

/**
 * Answers every request with its id, and remembers it for what its handler does: a statement knows whose it is. With the
 * log level `info` or lower each answer is a line.
 */
export function trackRequests(app: FastifyInstance): void {
  app.decorateRequest('page', '')
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  // After the body has come in: what reads it runs on behalf of the connection.
  app.addHook('preHandler', (request, _reply, done) => current.run(request, done))
  if (!logsEverything(app.config)) return
  app.addHook('onResponse', (request, reply, done) => {
    const { method, log } = request
    log.info(
      { method, route: routeOf(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
    done()
  })
}

/** The pattern of what answers a request, never its address: that names people and what they look for, and has no end. */
export const routeOf = (request: FastifyRequest): string => request.page || request.routeOptions.url || 'none'
