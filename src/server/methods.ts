import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#problem'

/** A look without the body is a look: not where the GET changes something. */
export const withHead = (key: string) => key.startsWith('GET ') && key !== 'GET /api/auth/logout'

/** After all routes: every other method of a path that exists answers 405 and names the methods that are allowed. */
export function refuseOtherMethods(app: FastifyInstance): void {
  const allowed = new Map<string, string[]>()
  for (const key of app.calls.keys()) {
    const [method = '', path = ''] = key.split(' ')
    const url = path.replace(/\/$/, '')
    allowed.set(url, [...(allowed.get(url) ?? []), method, ...(withHead(key) ? ['HEAD'] : [])])
  }
  // Paths that differ only in a parameter's name are one path.
  for (const [url, methods] of mergeSamePaths(allowed)) allowOnly(app, url, methods)
}

/** Answers 405 to every method of a path but these. */
export function allowOnly(app: FastifyInstance, url: string, methods: string[]): void {
  const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('allow', methods.join(', '))
    throw new Problem(405, `${request.method} is not allowed here; allowed: ${methods.join(', ')}`)
  }
  const all = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
  const method = all.filter(name => !methods.includes(name))
  // As a hook it speaks before the body is read: what the body holds does not matter here.
  app.route({ method, url, exposeHeadRoute: false, onRequest: refuse, handler: refuse })
}

function mergeSamePaths(paths: Map<string, string[]>): Map<string, string[]> {
  const merged = new Map<string, string[]>()
  for (const [url, methods] of paths) {
    const same = [...merged.keys()].find(known => known.replace(/:\w+/g, ':') === url.replace(/:\w+/g, ':'))
    merged.set(same ?? url, [...(same ? (merged.get(same) ?? []) : []), ...methods])
  }
  return merged
}
