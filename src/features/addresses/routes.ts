import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import * as addresses from './addresses.ts'
import { calls } from './contract.ts'

/** A user's own addresses. @param cart where carts are sent */
export function addressRoutes(app: FastifyInstance, cart: addresses.Cart): void {
  const on = createApi(app, calls)
  const own = async ({ params }: { params: { addressId: Id } }, request: FastifyRequest) =>
    addresses.requireOwn(app.db, (await requireUser(request)).id, params.addressId)

  on('GET /api/addresses/', async (_, request) => ({
    addresses: await addresses.list(app.db, (await requireUser(request)).id),
  }))

  on('POST /api/addresses/', { guard: userGuard() }, async ({ headers, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    return addresses.add(app.db, cart, user.id, body, headers['idempotency-key'])
  })

  on('PUT /api/addresses/:addressId', { guard: own }, async ({ params, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    return addresses.update(app.db, cart, user.id, params.addressId, body)
  })

  on('DELETE /api/addresses/:addressId', { guard: own }, async ({ params }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await addresses.remove(app.db, cart, user.id, params.addressId)
    return { message: 'Address deleted' }
  })
}
