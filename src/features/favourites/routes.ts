import type { FastifyInstance } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { calls, LOGIN_TO_SAVE } from './contract.ts'
import * as favourites from './favourites.ts'

/** Saved listings: private to their user. */
export function favouriteRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)

  on('GET /api/favourites/', { guard: userGuard() }, async ({ query }, request) =>
    favourites.list(app.db, (await requireUser(request)).id, query),
  )

  on('GET /api/favourites/ids', async (_, request) => ({
    ids: await favourites.ids(app.db, (await requireUser(request)).id),
  }))

  on('PUT /api/favourites/:productId', { guard: userGuard(LOGIN_TO_SAVE) }, async ({ params }, request) => {
    const user = await requireUser(request, LOGIN_TO_SAVE)
    await consume(app, 'favourites', user.id)
    await favourites.save(app.db, user.id, params.productId)
    return { message: 'Saved to your favorites' }
  })

  on(
    'DELETE /api/favourites/:productId',
    { guard: userGuard(LOGIN_TO_SAVE) },
    async ({ params }, request) => {
      const user = await requireUser(request, LOGIN_TO_SAVE)
      await consume(app, 'favourites', user.id)
      await favourites.remove(app.db, user.id, params.productId)
      return { message: 'Removed from your favorites' }
    },
  )
}
