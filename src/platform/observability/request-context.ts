import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Pattern of the page that is served, '/users/:id', since all pages are one route of the server. '' for other routes. */
    page: string
  }
}

/** A request id that is accepted from a proxy: long enough to be unique, and without characters that could forge a log line. */
const WELL_FORMED = /^[\w.-]{8,64}$/

/**
 * Returns the id of a request: the header X-Request-Id of a trusted proxy, otherwise 48 random bits, '3f2a9c1e-7b4d', which
 * are short enough to be read out on the phone.
 */
export const requestIds =
  ({ trustProxy }: Pick<Config, 'trustProxy'>) =>
  ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
    const given = headers['x-request-id']
    return trustProxy > 0 && typeof given === 'string' && WELL_FORMED.test(given)
      ? given
      : randomUUID().slice(0, 13)
  }

/** Whether each response is logged. */
export const logsResponses = ({ logLevel }: Pick<Config, 'logLevel'>): boolean =>
  ['info', 'debug'].includes(logLevel)

const current = new AsyncLocalStorage<FastifyRequest>()

/** The request that the current code runs for (AsyncLocalStorage); undefined outside of a request. */
export const currentRequest = (): FastifyRequest | undefined => current.getStore()

/**
 * Adds the header X-Request-Id to every response, and makes the request available to `currentRequest`, so that a statement
 * is logged with its request. With the log level `info` or lower each response is logged.
 */
export function trackRequests(app: FastifyInstance): void {
  app.decorateRequest('page', '')
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  // In preHandler, after the body was read: the body parser runs in the async context of the connection.
  app.addHook('preHandler', (request, _reply, done) => current.run(request, done))
  if (!logsResponses(app.config)) return
  app.addHook('onResponse', (request, reply, done) => {
    const { method, log } = request
    log.info(
      { method, route: routeOf(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
    done()
  })
}

/**
 * The route pattern of a request, for logs and metrics. Never its URL: URLs contain personal data, and are unlimited
 * in number.
 */
export const routeOf = (request: FastifyRequest): string => request.page || request.routeOptions.url || 'none'
