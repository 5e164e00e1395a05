import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { originOf } from '#platform/http/origin.ts'

/** The shop as passkeys know it (WebAuthn). A passkey works for this id alone, and answers to this origin alone. */
export interface RelyingParty {
  /** Host name, without a port. */
  id: string
  origin: string
}

const isLocal = (host: string) => host === 'localhost' || host.endsWith('.localhost')

/**
 * The relying party: PUBLIC_URL. Without it, the request says only that it is on `localhost`: clients choose the header
 * Host. Undefined where browsers offer no passkeys: without https, or at an IP address.
 */
export function relyingPartyOf(request: FastifyRequest): RelyingParty | undefined {
  const { publicUrl } = request.server.config
  const { protocol, hostname, origin } = new URL(publicUrl ?? originOf(request))
  if (!publicUrl && hostname !== 'localhost') return undefined
  return hasPasskeys(protocol, hostname) ? { id: hostname, origin } : undefined
}

/** Whether browsers offer passkeys at an address: protocol and hostname as in a URL. */
export const hasPasskeys = (protocol: string, hostname: string): boolean =>
  (protocol === 'https:' || isLocal(hostname)) && isIP(hostname.replace(/^\[|\]$/g, '')) === 0
