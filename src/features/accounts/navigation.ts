import type { FastifyRequest } from 'fastify'

/**
 * Whether a browser follows a link without naming its source. That happens over plain http, from another site whose link
 * has `rel=noreferrer`. Browsers send Upgrade-Insecure-Requests with each navigation; programs do not.
 */
export const fromNowhere = ({ headers }: FastifyRequest): boolean =>
  headers['upgrade-insecure-requests'] !== undefined &&
  (headers['sec-fetch-site'] ?? headers.origin ?? headers.referer) === undefined

/** Whether a browser loads an address in advance; older browsers use another header. */
export const isPrefetch = ({ headers }: FastifyRequest): boolean =>
  [headers['sec-purpose'], headers.purpose].some(purpose => /prefetch/i.test(String(purpose)))
