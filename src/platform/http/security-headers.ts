import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'

/** Sets the security headers on every response. They are the same for all responses, so they are computed once. */
export function setSecurityHeaders(app: FastifyInstance): void {
  const headers = securityHeaders(app.config)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** Cross-Origin-Resource-Policy of public pictures: pages of others may show them, such as readers of feeds. */
export const CROSS_ORIGIN = 'cross-origin'

/**
 * The security headers, name → value, for responses that are written without Fastify. The policy allows scripts, styles
 * and images of this origin only, and no frames. With https in PUBLIC_URL, HSTS is added.
 */
export function securityHeaders({ publicUrl }: Config): Record<string, string> {
  const policy = [
    "default-src 'self'",
    "img-src 'self' blob: data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  const always = {
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    // The XSS filters of old browsers opened holes themselves.
    'x-xss-protection': '0',
  }
  if (!publicUrl?.startsWith('https:')) return { ...always, 'content-security-policy': policy.join(';') }
  return {
    ...always,
    'content-security-policy': [...policy, 'upgrade-insecure-requests'].join(';'),
    // Without includeSubDomains: other hosts below this name are not ours.
    'strict-transport-security': 'max-age=63072000',
    'cross-origin-opener-policy': 'same-origin',
    'origin-agent-cluster': '?1',
  }
}
