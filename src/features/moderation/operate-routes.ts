import type { FastifyInstance } from 'fastify'
import { makeResetLink } from '#accounts/password-reset.ts'
import type { Id } from '#contract'
import { record } from '#operators/log.ts'
import { isOperator } from '#operators/operators.ts'
import { operatorGuard, requireOperator } from '#operators/require-operator.ts'
import { createApi } from '#platform/api/api.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { findForOperator } from '#sales/sales.ts'
import * as decisions from './decisions.ts'
import * as lists from './lists.ts'
import * as objections from './objections.ts'
import { operateCalls } from './operate-contract.ts'
import { overview } from './overview.ts'
import * as reports from './reports.ts'

/** What operators see and decide. Every call begins by asking who they are. */
export function operateRoutes(app: FastifyInstance): void {
  const on = createApi(app, operateCalls)
  const { db } = app

  on('GET /api/operate/overview', async (_, request) => {
    await requireOperator(request)
    return overview(db, app.config.dataDir)
  })

  on('GET /api/operate/reports', async (_, request) => {
    await requireOperator(request)
    return { reports: await reports.open(db) }
  })

  on('POST /api/operate/reports/:reportId/dismiss', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await reports.dismiss(db, id, params.reportId, body.reason)
    return { message: 'Report answered' }
  })

  on('GET /api/operate/objections', async (_, request) => {
    const { id } = await requireOperator(request)
    return { objections: await objections.openObjections(db, id) }
  })

  on('POST /api/operate/objections/:decisionId/answer', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await objections.answer(db, id, params.decisionId, body)
    return { message: 'Objection answered' }
  })

  on('GET /api/operate/listings', operatorGuard, async ({ query }, request) => {
    await requireOperator(request)
    return lists.listings(db, { ...query, hidden: query.hidden === 'true' })
  })

  on('POST /api/operate/listings/:id/hide', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await transaction(db, db => decisions.hideListing(db, id, params.id, body))
    return { message: 'Listing hidden' }
  })

  on('POST /api/operate/listings/:id/show', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await transaction(db, db => decisions.showListing(db, id, params.id, body.reason))
    return { message: 'Listing no longer hidden' }
  })

  on('GET /api/operate/reviews', operatorGuard, async ({ query }, request) => {
    await requireOperator(request)
    return lists.reviews(db, { ...query, hidden: query.hidden === 'true' })
  })

  on('POST /api/operate/reviews/:id/hide', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await transaction(db, db => decisions.hideReviewOf(db, id, params.id, body))
    return { message: 'Review hidden' }
  })

  on('POST /api/operate/reviews/:id/show', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await transaction(db, db => decisions.showReviewOf(db, id, params.id, body.reason))
    return { message: 'Review no longer hidden' }
  })

  on('POST /api/operate/reviews/:id/reply/hide', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await transaction(db, db => decisions.hideReplyTo(db, id, params.id, body))
    return { message: 'Reply hidden' }
  })

  on('POST /api/operate/reviews/:id/reply/show', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await transaction(db, db => decisions.showReplyTo(db, id, params.id, body.reason))
    return { message: 'Reply no longer hidden' }
  })

  on('GET /api/operate/people', operatorGuard, async ({ query: { suspended, ...query } }, request) => {
    await requireOperator(request)
    return lists.people(db, { ...query, hidden: suspended === 'true' })
  })

  on('POST /api/operate/people/:userId/suspend', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await transaction(db, async db => {
      await requireNoOperator(db, params.userId, 'Operators are removed before they are suspended')
      await decisions.suspend(db, id, params.userId, body)
    })
    return { message: 'Suspended' }
  })

  on('POST /api/operate/people/:userId/restore', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await transaction(db, db => decisions.restore(db, id, params.userId, body.reason))
    return { message: 'The suspension has ended' }
  })

  on('POST /api/operate/people/:userId/password-link', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    return transaction(db, async db => {
      // One operator could act in the name of another.
      await requireNoOperator(
        db,
        params.userId,
        'The password of an operator is reset by a command on the server',
      )
      const token = await makeResetLink(db, params.userId)
      await record(db, id, { action: 'password-link', person: params.userId, reason: body.reason })
      return { path: `/reset-password?token=${token}` }
    })
  })

  on('GET /api/operate/orders', operatorGuard, async ({ query: { late, ...query } }, request) => {
    await requireOperator(request)
    return lists.orders(db, { ...query, late: late === 'true' })
  })

  on('POST /api/operate/orders/:orderId/open', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    const sale = await findForOperator(db, params.orderId)
    await record(db, id, { action: 'order-opened', order: params.orderId, reason: body.reason })
    return sale
  })
}

/** Locks the user for this transaction: an appointment waits for its end. @throws Problem 409 for an operator */
async function requireNoOperator(db: Database, userId: Id, refusal: string): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  if (await isOperator(db, userId)) throw new Problem(409, refusal)
}
