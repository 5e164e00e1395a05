import type { FastifyInstance } from 'fastify'
import { requirePerson, signedIn } from '#accounts/session.ts'
import { count } from '#server/gates/limits.ts'
import { serving } from '#server/http.ts'
import { calls, LOGIN_TO_SAVE } from './contract.ts'
import * as favourites from './favourites.ts'

/** What people want to find again: each their own, and nobody else's, not even the maker's. */
export function favouriteRoutes(app: FastifyInstance): void {
  const on = serving(app, calls)

  on('GET /api/favourites/', { guard: requirePerson() }, async ({ query }, request) =>
    favourites.list(app.db, (await signedIn(request)).id, query),
  )

  on('GET /api/favourites/ids', async (_, request) => ({
    ids: await favourites.ids(app.db, (await signedIn(request)).id),
  }))

  on(
    'PUT /api/favourites/:productId',
    { guard: requirePerson(LOGIN_TO_SAVE) },
    async ({ params }, request) => {
      const user = await signedIn(request, LOGIN_TO_SAVE)
      await count(app, 'favourites', user.id)
      await favourites.save(app.db, user.id, params.productId)
      return { message: 'Saved to your favorites' }
    },
  )

  on(
    'DELETE /api/favourites/:productId',
    { guard: requirePerson(LOGIN_TO_SAVE) },
    async ({ params }, request) => {
      const user = await signedIn(request, LOGIN_TO_SAVE)
      await count(app, 'favourites', user.id)
      await favourites.remove(app.db, user.id, params.productId)
      return { message: 'Removed from your favorites' }
    },
  )
}
