import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { calls } from './contract.ts'
import { list } from './conversation-list.ts'
import * as conversations from './conversations.ts'
import { findMaker, prepare, writeTo } from './first-message.ts'
import * as messages from './messages.ts'

/** Messages between the shopper and the maker of an order, and of people who ask a maker without one. */
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

  on('GET /api/messages/', { guard: userGuard() }, async ({ query }, request) =>
    list(app.db, (await requireUser(request)).id, query),
  )

  on('GET /api/messages/to/:username', { guard: userGuard() }, async ({ params, query }, request) =>
    prepare(app.db, (await requireUser(request)).id, params.username, query.listing),
  )

  const someMaker = async ({ params }: { params: { username: string } }, request: FastifyRequest) =>
    findMaker(app.db, (await requireUser(request)).id, params.username)
  on('POST /api/messages/to/:username', { guard: someMaker }, async ({ params, headers, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'messages', user.id)
    const key = headers['idempotency-key']
    const onNew = () => consume(app, 'conversations', user.id)
    return writeTo(app.db, user.id, params.username, { ...body, key, onNew })
  })

  const own = async ({ params }: { params: { conversationId: Id } }, request: FastifyRequest) =>
    conversations.requireSide(app.db, (await requireUser(request)).id, params.conversationId)

  on('GET /api/messages/:conversationId', { guard: own }, async ({ params, query }, request) =>
    conversations.read(app.db, (await requireUser(request)).id, params.conversationId, query),
  )

  on('POST /api/messages/:conversationId', { guard: own }, async ({ params, headers, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'messages', user.id)
    const key = headers['idempotency-key']
    return conversations.write(app.db, user.id, params.conversationId, { text: body.text, key })
  })

  on('POST /api/messages/:conversationId/read', { guard: own }, async ({ params, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await conversations.markRead(app.db, user.id, params.conversationId, body.up_to)
    return { message: 'Marked as read' }
  })

  const stopping =
    (isStopped: boolean) =>
    async ({ params }: { params: { conversationId: Id } }, request: FastifyRequest) => {
      const user = await requireUser(request)
      await consume(app, 'changes', user.id)
      await conversations.setStopped(app.db, user.id, params.conversationId, isStopped)
      return { message: isStopped ? 'The messages are stopped' : 'They can write to you again' }
    }
  on('PUT /api/messages/:conversationId/stop', { guard: own }, stopping(true))
  on('DELETE /api/messages/:conversationId/stop', { guard: own }, stopping(false))
}
