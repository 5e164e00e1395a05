import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Call, FieldRefusal, Refusal } from '#contract'
import { type FieldErrors, Problem } from '#problem'
import type { Config } from '../config/config.ts'
import { isForeignKeyViolation, isRetryable, isUnavailable } from '../database/database-errors.ts'
import { requireAllowedMethod } from './method-not-allowed.ts'
import { securityHeaders } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The shape of the route's error bodies; see `Call`. */
    errors?: Call['errors']
  }
}

/** Responds to every error of the API with its status and message, without internal details, and logs it. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error)
    logError(request, problem)
    if (problem.retryAfter !== undefined) reply.header('retry-after', String(problem.retryAfter))
    reply.header('cache-control', 'no-store')
    return reply.code(problem.status).send(errorBody(problem, request.routeOptions.config.errors))
  })
  app.setNotFoundHandler(refuseUnknown)
}

/** Responds to a request that no route serves. @throws Problem 404, or 405 for another method of a known path */
export function refuseUnknown(request: FastifyRequest, reply: FastifyReply): never {
  requireAllowedMethod(request, reply)
  throw new Problem(404, 'There is nothing at this address')
}

/**
 * Logs an error: internal errors (5xx) as errors, 403 and 429 as warnings. A 503 of load shedding is not logged, since there
 * may be thousands a second.
 */
export function logError(request: FastifyRequest, problem: Problem): void {
  const { status, message, cause } = problem
  const { method, ip, log, routeOptions } = request
  if (status >= 500 && (status !== 503 || cause !== undefined))
    log.error({ err: cause ?? problem }, 'request failed')
  else if (status === 403 || status === 429)
    log.warn({ status, ip, method, route: routeOptions.url }, `refused: ${message}`)
}

/**
 * Responds to requests that Fastify refuses before any hook runs: a URL that cannot be decoded.
 * @param page the HTML of an error page with this status, for browsers
 */
export function frameworkErrors(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  page: (status: number) => string,
): void {
  const problem = toProblem(error)
  reply
    .headers(securityHeaders(request.server.config))
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store')
    .code(problem.status)
  const asksForPage = /\btext\/html\b/.test(request.headers.accept ?? '') && !/^\/+api\b/.test(request.url)
  if (asksForPage) void reply.type('text/html; charset=utf-8').send(page(problem.status))
  else void reply.send(errorBody(problem))
}

/** Responds to input that is no HTTP request: invalid syntax, headers that are too large, or a timeout. It closes the connection. */
export function clientErrorHandler(
  this: FastifyInstance,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, message] = unreadable[error.code ?? ''] ?? [400, 'The request could not be understood']
  const body = JSON.stringify(errorBody(new Problem(status, message)))
  const headers = { ...rawHeaders(this.config, body), connection: 'close' }
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

const unreadable: Record<string, [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large'],
}

/** The headers of an error response that is written without Fastify. @param type without its charset */
export const rawHeaders = (
  config: Config,
  body: string,
  type = 'application/json',
): Record<string, string> => ({
  ...securityHeaders(config),
  'cache-control': 'no-store',
  'content-type': `${type}; charset=utf-8`,
  'content-length': String(Buffer.byteLength(body)),
})

/**
 * Responds to a request without Fastify, and closes the connection. Nothing is sent if there was a response already, or is
 * queued behind responses that the client does not read.
 */
export function refuseRaw(
  config: Config,
  response: ServerResponse,
  problem: Problem,
  headers: Record<string, string> = {},
): void {
  const { socket } = response.req
  if (response.headersSent || !response.socket?.writable) return void socket.destroy()
  const body = JSON.stringify(errorBody(problem))
  response.writeHead(problem.status, { ...rawHeaders(config, body), connection: 'close', ...headers })
  response.end(body, () => socket.destroy())
}

/** The body of an error response, in the shape that the contract of the call names. */
export function errorBody(problem: Problem, shape?: Call['errors']): FieldErrors | Refusal {
  if (shape === 'fields') return FieldRefusal.parse(problem.fields ?? { server: problem.message })
  return Refusal.parse({ message: problem.message, errors: problem.errors })
}

/** Message of load shedding. */
export const BUSY = 'The shop is very busy. Please try again'
export const NOT_JSON = 'This content type is not understood here; send application/json'

/** Messages for errors of Fastify before a handler runs. */
const refusals: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: NOT_JSON,
  FST_ERR_CTP_BODY_TOO_LARGE: 'The request is too large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The length of the body is not what was announced',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON',
}

/** Converts any error to a Problem that a client may see. Its `cause` is the original error. */
export function toProblem(cause: unknown): Problem {
  if (cause instanceof Problem) return cause
  const { statusCode = 0, code = '' } = cause as { statusCode?: number; code?: string }
  if (isUnavailable(cause) || isRetryable(cause))
    return new Problem(503, 'The shop is busy or being restarted. Please try again', { retryAfter: 2, cause })
  if (isForeignKeyViolation(cause))
    return new Problem(409, 'What this belongs to has just been deleted. Please reload the page', { cause })
  if (statusCode >= 400 && statusCode < 500)
    return new Problem(statusCode, refusals[code] ?? 'The request could not be understood', { cause })
  return new Problem(500, 'Something went wrong. Please try again', { cause })
}
