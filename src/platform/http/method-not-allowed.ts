import http from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#problem'

/** Every method that Node can parse, without CONNECT, which is no request event. */
const METHODS = http.METHODS.filter(method => method !== 'CONNECT')
/** Each path refuses these methods by a route. The other, rare methods are refused by `refuseKnown`. */
const COMMON = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Returns all methods, for routes that accept any. Without HEAD, which Fastify adds to GET. */
export function anyMethod(app: FastifyInstance): string[] {
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  return METHODS.filter(method => method !== 'HEAD')
}

/** Server → its paths and their allowed methods. */
const known = new WeakMap<FastifyInstance['server'], [path: RegExp, methods: string[]][]>()

/** @throws Problem 405 with the header `allow`, if the path is known and was not routed: its method is not allowed */
export function refuseKnown(request: FastifyRequest, reply: FastifyReply): void {
  const [path = ''] = request.url.split('?')
  const found = known.get(request.server.server)?.find(([pattern]) => pattern.test(path))
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
  const allowed = new Map<string, string[]>()
  for (const [key, { allowsHead }] of calls) {
    const [method = '', path = ''] = key.split(' ')
    const url = path.replace(/\/$/, '')
    allowed.set(url, [...(allowed.get(url) ?? []), method, ...(allowsHead ? ['HEAD'] : [])])
  }
  // Paths that differ in the names of parameters only are the same path.
  for (const [url, methods] of mergeSamePaths(allowed)) allowOnly(app, url, methods)
}

/** Refuses every method of a path except these with 405 and the header `allow`. */
export function allowOnly(app: FastifyInstance, url: string, methods: string[]): void {
  const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
    throw refusal(request, reply, methods)
  }
  const paths = known.get(app.server) ?? []
  known.set(app.server, [...paths, [patternOf(url), methods]])
  const method = COMMON.filter(name => !methods.includes(name))
  // In a hook, before the body is read and checked.
  app.route({ method, url, exposeHeadRoute: false, onRequest: refuse, handler: refuse })
}

const patternOf = (url: string) =>
  new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}/?$`)

function mergeSamePaths(paths: Map<string, string[]>): Map<string, string[]> {
  const merged = new Map<string, string[]>()
  for (const [url, methods] of paths) {
    const same = [...merged.keys()].find(known => known.replace(/:\w+/g, ':') === url.replace(/:\w+/g, ':'))
    merged.set(same ?? url, [...(same ? (merged.get(same) ?? []) : []), ...methods])
  }
  return merged
}
