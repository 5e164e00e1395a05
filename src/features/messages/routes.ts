import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { calls } from './contract.ts'
import * as messages from './messages.ts'

/** Messages between the shopper and the maker of an order. */
export function messageRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const ownOrder = async ({ params }: { params: { orderId: Id } }, request: FastifyRequest) =>
    messages.requireSide(app.db, (await requireUser(request)).id, params.orderId)

  on('GET /api/orders/:orderId/messages', { guard: ownOrder }, async ({ params, query }, request) =>
    messages.list(app.db, (await requireUser(request)).id, params.orderId, query),
  )

  on(
    'POST /api/orders/:orderId/messages',
    { guard: ownOrder },
    async ({ params, headers, body }, request) => {
      const user = await requireUser(request)
      await consume(app, 'messages', user.id)
      const key = headers['idempotency-key']
      return messages.write(app.db, user.id, params.orderId, { text: body.text, key })
    },
  )

  on('POST /api/orders/:orderId/messages/read', { guard: ownOrder }, async ({ params, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await messages.markRead(app.db, user.id, params.orderId, body.up_to)
    return { message: 'Marked as read' }
  })
}
