import type { FastifyInstance } from 'fastify'
import { signedIn } from '#accounts/session.ts'
import * as images from '#images/images.ts'
import { count } from '#server/gates/limits.ts'
import { serving } from '#server/http.ts'
import { calls } from './contract.ts'
import * as shops from './shops.ts'

/** Makers: everybody reads what they say of themselves, they alone write it. */
export function shopRoutes(app: FastifyInstance): void {
  const on = serving(app, calls)
  const uploaded = app.tally('uploads', 'Photos and documents that were stored')

  on('GET /api/shops/:username', ({ params }, db) => shops.find(db, params.username))

  on('PUT /api/shops/:username', async ({ params, body }, request) => {
    const user = await signedIn(request)
    await count(app, 'changes', user.id)
    return shops.update(app.db, user.id, params.username, body)
  })

  on(
    'POST /api/shops/:username/picture',
    async ({ params, body }, request) => {
      const user = await signedIn(request)
      await shops.onlyOwner(app.db, user.id, params.username)
      await count(app, 'uploads', user.id)
      const shop = await shops.setPicture(app.db, app.files, user.id, body.image)
      uploaded()
      return shop
    },
    { before: request => signedIn(request), look: images.look },
  )

  on('DELETE /api/shops/:username/picture', async ({ params }, request) => {
    const user = await signedIn(request)
    await shops.onlyOwner(app.db, user.id, params.username)
    await count(app, 'changes', user.id)
    await shops.removePicture(app.db, app.files, user.id)
    return { message: 'Picture removed' }
  })
}
