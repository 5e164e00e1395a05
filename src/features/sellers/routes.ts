import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import * as slots from '#images/picture-slot.ts'
import { refuseByHeader } from '#images/renditions.ts'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { calls } from './contract.ts'
import * as directory from './directory.ts'
import * as holiday from './holiday.ts'
import { slotOf } from './pictures.ts'
import * as shops from './sellers.ts'
import * as page from './shop-page.ts'

/** Profiles of sellers: public to read, their own to write. */
export function shopRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const ownerGuard = async ({ params }: { params: { username: string } }, request: FastifyRequest) =>
    shops.requireOwner(app.db, (await requireUser(request)).id, params.username)
  const uploaded = app.counter('shop_uploads_total', 'Photos and documents that were stored')

  on('GET /api/makers', ({ query }, db) => directory.list(db, query))

  on('GET /api/shops/:username', ({ params }, db) => shops.find(db, params.username))

  on('PUT /api/shops/:username', { guard: ownerGuard }, async ({ params, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    return shops.update(app.db, user.id, params.username, body)
  })

  on('GET /api/shops/:username/page', ({ params }, db) => page.find(db, params.username))

  on('PUT /api/shops/:username/page', { guard: ownerGuard }, async ({ params, body }, request) => {
    const user = await requireUser(request)
    await shops.requireOwner(app.db, user.id, params.username)
    await consume(app, 'changes', user.id)
    await page.update(app.db, user.id, body)
    return page.find(app.db, params.username)
  })

  const removing =
    (picture: 'picture' | 'banner') =>
    async ({ params }: { params: { username: string } }, request: FastifyRequest) => {
      const user = await requireUser(request)
      await shops.requireOwner(app.db, user.id, params.username)
      await consume(app, 'changes', user.id)
      await slots.clear(app.db, app.files, slotOf(user.id, picture))
      return { message: 'Picture removed' }
    }
  for (const picture of ['picture', 'banner'] as const) {
    on(
      `POST /api/shops/:username/${picture}`,
      { guard: ownerGuard, file: { authorize: request => requireUser(request), sniff: refuseByHeader } },
      async ({ params, body }, request) => {
        const user = await requireUser(request)
        await shops.requireOwner(app.db, user.id, params.username)
        await consume(app, 'uploads', user.id)
        const stored = await slots.fill(app.db, app.files, user.id, body.file, slotOf(user.id, picture))
        uploaded()
        return stored
      },
    )
    on(`DELETE /api/shops/:username/${picture}`, { guard: ownerGuard }, removing(picture))
  }

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
