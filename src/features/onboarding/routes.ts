import type { FastifyInstance } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import { operatorGuard, requireOperator } from '#operators/require-operator.ts'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import * as applications from './applications.ts'
import { calls } from './contract.ts'
import * as invitations from './invitations.ts'
import { permissionOf } from './may-sell.ts'
import * as details from './seller-details.ts'

/** How people come to sell: applications, invitations, and who they are. */
export function onboardingRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const { db } = app

  on('GET /api/selling/', async (_, request) => {
    const { id } = await requireUser(request)
    const [permission, application] = await Promise.all([permissionOf(db, id), applications.lastOf(db, id)])
    return { ...permission, application }
  })

  on('POST /api/selling/application', { guard: userGuard() }, async ({ body }, request) => {
    const { id } = await requireUser(request)
    await consume(app, 'changes', id)
    await applications.apply(db, id, body.words)
    const application = await applications.lastOf(db, id)
    if (!application) throw new Error('an application that was made just now is gone')
    return application
  })

  on('POST /api/selling/invitation', { guard: userGuard() }, async ({ body }, request) => {
    const { id } = await requireUser(request)
    await consume(app, 'changes', id)
    await invitations.accept(db, id, body.code)
    return { message: 'You may sell here. Welcome' }
  })

  on('GET /api/selling/details', async (_, request) => ({
    details: await details.own(db, (await requireUser(request)).id),
  }))

  on('PUT /api/selling/details', { guard: userGuard() }, async ({ body }, request) => {
    const { id } = await requireUser(request)
    await consume(app, 'changes', id)
    await details.save(db, id, body)
    return body
  })

  on('GET /api/shops/:username/seller', async ({ params }, db) => ({
    details: await details.findByUsername(db, params.username),
  }))

  on('GET /api/operate/applications', async (_, request) => {
    await requireOperator(request)
    return { applications: await applications.open(db) }
  })

  on('POST /api/operate/applications/:id/answer', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await applications.answer(db, id, params.id, body)
    return { message: 'Application answered' }
  })

  on('GET /api/operate/invitations', async (_, request) => {
    await requireOperator(request)
    return { invitations: await invitations.list(db) }
  })

  on('POST /api/operate/invitations', operatorGuard, async ({ body }, request) => {
    const operator = await requireOperator(request)
    const { id, code } = await invitations.invite(db, operator.id, body)
    return { id, path: `/sell?invitation=${code}` }
  })

  on('POST /api/operate/invitations/:id/revoke', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await invitations.revoke(db, id, params.id, body.reason)
    return { message: 'Invitation taken back' }
  })
}
