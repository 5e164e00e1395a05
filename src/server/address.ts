import type { FastifyRequest } from 'fastify'

/** Where a request says that it came to, 'http://localhost:3000': its host is whatever the client likes. */
export function originOf(request: FastifyRequest): string {
  const asked = `${request.protocol}://${request.host}`
  return URL.canParse(asked) ? new URL(asked).origin : 'http://localhost'
}

/** The address under which people reach the shop: as the settings say, else as this request does. */
export function addressOf(request: FastifyRequest): string {
  const { publicUrl } = request.server.config
  return publicUrl ? new URL(publicUrl).origin : originOf(request)
}
