import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import type { Database } from '#platform/database/database.ts'
import { consume, resetLimit } from '#platform/http/rate-limit.ts'
import * as paymentWords from '#sellers/payment-words.ts'
import type { Attempt } from './action.ts'
import { batch } from './batch.ts'
import { calls, type Sale } from './contract.ts'
import { exportRoute } from './export.ts'
import * as fulfil from './fulfil.ts'
import { list } from './list.ts'
import * as payments from './payments.ts'
import * as sales from './sales.ts'

interface OfSale {
  params: { orderId: Id }
  headers: { 'idempotency-key'?: string | undefined }
}

/** A maker's own sales: list, send, cancel, record payments. */
export function saleRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const guard = async ({ params }: { params: { orderId: Id } }, request: FastifyRequest) =>
    sales.requireOwnSale(app.db, (await requireUser(request)).id, params.orderId)
  /** Does something to an own sale. @returns the sale afterwards */
  const doing = async (
    { params, headers }: OfSale,
    request: FastifyRequest,
    work: (db: Database, attempt: Attempt) => Promise<void>,
  ): Promise<Sale> => {
    const { id: maker } = await requireUser(request)
    await consume(app, 'changes', maker)
    await work(app.db, { maker, order: params.orderId, key: headers['idempotency-key'] })
    return sales.find(app.db, maker, params.orderId)
  }

  on('GET /api/sales/', { guard: userGuard() }, async ({ query }, request) =>
    list(app.db, (await requireUser(request)).id, query),
  )

  on('GET /api/sales/sums', async (_, request) => sales.sums(app.db, (await requireUser(request)).id))

  on('GET /api/sales/payment-words', async (_, request) => ({
    words: await paymentWords.find(app.db, (await requireUser(request)).id),
  }))

  on('PUT /api/sales/payment-words', { guard: userGuard() }, async ({ body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await paymentWords.set(app.db, user.id, body.words)
    return { message: 'Saved' }
  })

  exportRoute(app)

  on('POST /api/sales/batch', { guard: userGuard() }, async ({ body, headers }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id, body.orders.length)
    return batch(app.db, user.id, body, headers['idempotency-key'])
  })

  on('GET /api/sales/:orderId', async ({ params }, request) =>
    sales.find(app.db, (await requireUser(request)).id, params.orderId),
  )

  on('POST /api/sales/:orderId/parcels', { guard }, (input, request) =>
    doing(input, request, (db, attempt) => fulfil.send(db, attempt, input.body)),
  )

  on('POST /api/sales/:orderId/parcels/:eventId/tracking', { guard }, (input, request) =>
    doing(input, request, (db, attempt) => fulfil.track(db, attempt, input.params.eventId, input.body)),
  )

  on('POST /api/sales/:orderId/ready', { guard }, (input, request) => doing(input, request, fulfil.ready))

  on('POST /api/sales/:orderId/collected', { guard }, (input, request) =>
    doing(input, request, async (db, attempt) => {
      await sales.requireOwnSale(db, attempt.maker, attempt.order)
      await consume(app, 'pickup_guesses', attempt.order)
      await fulfil.collect(db, attempt, input.body.code)
      await resetLimit(app, 'pickup_guesses', attempt.order)
    }),
  )

  on('POST /api/sales/:orderId/cancel', { guard }, (input, request) =>
    doing(input, request, (db, attempt) => fulfil.cancel(db, attempt, input.body)),
  )

  on('POST /api/sales/:orderId/payments', { guard }, (input, request) =>
    doing(input, request, (db, attempt) => payments.pay(db, attempt, input.body)),
  )

  on('POST /api/sales/:orderId/refunds', { guard }, (input, request) =>
    doing(input, request, (db, attempt) => payments.refund(db, attempt, input.body)),
  )

  on('POST /api/sales/:orderId/events/:eventId/undo', { guard }, (input, request) =>
    doing(input, request, (db, attempt) => fulfil.undo(db, attempt, input.params.eventId)),
  )
}
