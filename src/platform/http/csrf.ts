import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '#problem'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Accepts changes from other sites. Only where the address itself is the permission, because it is signed, and no cookie
     * is: mail services send the form of List-Unsubscribe for their users, some of them from their own pages (RFC 8058).
     */
    fromAnywhere?: boolean
  }
}

/**
 * Whether another site may have made a request (CSRF). Browsers send Sec-Fetch-Site, older browsers Origin or Referer.
 * Programs send none of the three, and no user's cookies.
 */
export function fromAnotherSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const source = request.headers.origin ?? request.headers.referer
  if (source === undefined) return false
  if (!URL.canParse(source)) return true
  const own = request.server.config.publicUrl
  // Without PUBLIC_URL the scheme is unknown: a proxy in front may speak https.
  return own ? new URL(source).origin !== own : new URL(source).host !== request.host
}

/** Refuses every request from another site whose method can change something: Problem 403. */
export function refuseOtherSites(app: FastifyInstance): void {
  app.addHook('onRequest', async request => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return
    if (request.routeOptions.config.fromAnywhere) return
    refuseOtherSite(request)
  })
}

/** @throws Problem 403 for a request from another site */
export function refuseOtherSite(request: FastifyRequest): void {
  if (fromAnotherSite(request)) throw new Problem(403, 'Requests from another site are not accepted')
}
