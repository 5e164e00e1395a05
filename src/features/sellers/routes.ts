import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import * as images from '#images/images.ts'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { calls } from './contract.ts'
import * as directory from './directory.ts'
import * as holiday from './holiday.ts'
import * as shops from './sellers.ts'

/** Profiles of sellers: public to read, their own to write. */
export function shopRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const onlyMaker = async ({ params }: { params: { username: string } }, request: FastifyRequest) =>
    shops.onlyOwner(app.db, (await requireUser(request)).id, params.username)
  const uploaded = app.counter('uploads', 'Photos and documents that were stored')

  on('GET /api/makers', ({ query }, db) => directory.list(db, query))

  on('GET /api/shops/:username', ({ params }, db) => shops.find(db, params.username))

  on('PUT /api/shops/:username', { guard: onlyMaker }, async ({ params, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    return shops.update(app.db, user.id, params.username, body)
  })

  on(
    'POST /api/shops/:username/picture',
    { guard: onlyMaker, file: { authorize: request => requireUser(request), sniff: images.rejectEarly } },
    async ({ params, body }, request) => {
      const user = await requireUser(request)
      await shops.onlyOwner(app.db, user.id, params.username)
      await consume(app, 'uploads', user.id)
      const shop = await shops.setPicture(app.db, app.files, user.id, body.file)
      uploaded()
      return shop
    },
  )

  on('DELETE /api/shops/:username/picture', { guard: onlyMaker }, async ({ params }, request) => {
    const user = await requireUser(request)
    await shops.onlyOwner(app.db, user.id, params.username)
    await consume(app, 'changes', user.id)
    await shops.removePicture(app.db, app.files, user.id)
    return { message: 'Picture removed' }
  })

  on('GET /api/holiday/', async (_, request) => ({
    holiday: await holiday.find(app.db, (await requireUser(request)).id),
  }))

  on('PUT /api/holiday/', { guard: userGuard() }, async ({ body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    return holiday.set(app.db, user.id, body)
  })

  on('DELETE /api/holiday/', { guard: userGuard() }, async (_, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await holiday.end(app.db, user.id)
    return { message: 'Your holiday is over' }
  })
}
