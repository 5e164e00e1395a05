import http from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#problem'

/** Every method that Node can parse, without CONNECT, which is no request event. */
const METHODS = http.METHODS.filter(method => method !== 'CONNECT')
/** The same for a route that accepts any: without HEAD, which Fastify adds to GET. */
export const ALL_METHODS = METHODS.filter(method => method !== 'HEAD')
/** Each path refuses these methods by a route. The other, rare methods are refused by `requireAllowedMethod`. */
const COMMON = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Makes the server support all methods, so that routes can accept or refuse them. */
export function supportAllMethods(app: FastifyInstance): void {
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
}

/** Server → its paths and their allowed methods. */
const allowedMethods = new WeakMap<FastifyInstance['server'], [path: RegExp, methods: string[]][]>()

/** @throws Problem 405 with the header `allow`, if the path is known and was not routed: its method is not allowed */
export function requireAllowedMethod(request: FastifyRequest, reply: FastifyReply): void {
  const [path = ''] = request.url.split('?')
  const found = allowedMethods.get(request.server.server)?.find(([pattern]) => pattern.test(path))
  if (found) throw refusal(request, reply, found[1])
}

function refusal(request: FastifyRequest, reply: FastifyReply, methods: string[]): Problem {
  reply.header('allow', methods.join(', '))
  return new Problem(405, `${request.method} is not allowed here; allowed: ${methods.join(', ')}`)
}

/**
 * Refuses all other methods of the paths of some calls with 405 and the header `allow`. To be called after all routes.
 * @param calls 'METHOD /path/:param' and whether the call allows HEAD besides GET
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  calls: Iterable<[key: string, { allowsHead: boolean }]>,
): void {
  // Paths that differ in the names of parameters only are the same path.
  const samePath = Map.groupBy(calls, ([key]) => pathOf(key).replace(/:\w+/g, ':'))
  for (const same of samePath.values()) {
    const methods = same.flatMap(([key, { allowsHead }]) => [methodOf(key), ...(allowsHead ? ['HEAD'] : [])])
    allowOnly(app, pathOf(same[0]?.[0] ?? ''), methods)
  }
}

const methodOf = (key: string) => key.split(' ')[0] ?? ''
const pathOf = (key: string) => key.slice(methodOf(key).length + 1).replace(/\/$/, '')

/** Refuses every method of a path except these with 405 and the header `allow`. */
export function allowOnly(app: FastifyInstance, url: string, methods: string[]): void {
  const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
    throw refusal(request, reply, methods)
  }
  const paths = allowedMethods.get(app.server) ?? []
  allowedMethods.set(app.server, [...paths, [patternOf(url), methods]])
  const method = COMMON.filter(name => !methods.includes(name))
  // In a hook, before the body is read and checked.
  app.route({ method, url, exposeHeadRoute: false, onRequest: refuse, handler: refuse })
}

const patternOf = (url: string) =>
  new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}/?$`)
