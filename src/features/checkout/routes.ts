import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import * as checkout from './checkout.ts'
import { calls } from './contract.ts'

/** How the cart of the session's user is delivered. */
export function checkoutRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const inCart = async ({ params }: { params: { sellerId: Id } }, request: FastifyRequest) =>
    checkout.requireSeller(app.db, (await requireUser(request)).id, params.sellerId)

  on('GET /api/checkout/', { guard: userGuard() }, async (_, request) =>
    checkout.view(app.db, (await requireUser(request)).id),
  )

  on('PUT /api/checkout/address', { guard: userGuard() }, async ({ body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'cart', user.id)
    await checkout.setAddress(app.db, user.id, body.address_id)
    return checkout.view(app.db, user.id)
  })

  on('PUT /api/checkout/sellers/:sellerId', { guard: inCart }, async ({ params, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'cart', user.id)
    await checkout.choose(app.db, user.id, params.sellerId, body)
    return checkout.view(app.db, user.id)
  })
}
