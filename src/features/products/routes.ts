import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { refuseByHeader } from '#images/renditions.ts'
import { removeOfDeleted } from '#images/sweep.ts'
import { createApi } from '#platform/api/api.ts'
import type { Database } from '#platform/database/database.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { Problem } from '#problem'
import { calls } from './contract.ts'
import { detailsOfListing } from './details.ts'
import { arrangePhotos, photosChanged } from './photos.ts'
import * as products from './products.ts'
import { remove, requireOwnListing, restore, retire } from './retire.ts'
import { lackingSafety } from './safety.ts'
import { requireSeller } from './seller-of.ts'
import { uploadPhoto } from './upload-photo.ts'

/** Listings: public to read, their own to write. */
export function productRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const sellerGuard = async ({ params }: { params: { id: Id } }, request: FastifyRequest) =>
    requireSeller(app.db, (await requireUser(request)).id, params.id)
  const uploaded = app.counter('shop_uploads_total', 'Photos and documents that were stored')

  on('GET /api/products/lacking-safety', async (_, request) =>
    lackingSafety(app.db, (await requireUser(request)).id),
  )

  on('GET /api/products/:id', ({ params }, db) => products.find(db, params.id))

  on('GET /api/products/:id/details', ({ params }, db) => detailsOfListing(db, params.id))

  on(
    'POST /api/products/',
    { guard: userGuard(), sender: requireUser },
    async ({ body, headers }, request) => {
      const user = await requireUser(request)
      await consume(app, 'listings', user.id)
      return products.add(app.db, user.id, body, headers['idempotency-key'])
    },
  )

  on(
    'PUT /api/products/:id',
    { guard: sellerGuard, sender: requireUser },
    async ({ params, headers, body: { id, ...input } }, request) => {
      const user = await requireUser(request)
      if (id !== undefined && id !== params.id) {
        await requireSeller(app.db, user.id, params.id)
        throw new Problem(400, 'The id in the body is not the one in the address')
      }
      await consume(app, 'changes', user.id)
      const { 'idempotency-key': idempotencyKey, 'expected-version': expected } = headers
      return products.update(app.db, user.id, params.id, input, { idempotencyKey, expected })
    },
  )

  const ownGuard = async ({ params }: { params: { id: Id } }, request: FastifyRequest) =>
    requireOwnListing(app.db, (await requireUser(request)).id, params.id)

  on('POST /api/products/:id/retire', { guard: ownGuard }, async ({ params }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await retire(app.db, user.id, params.id)
    return { message: 'Listing retired' }
  })

  on('POST /api/products/:id/restore', { guard: ownGuard }, async ({ params }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    return restore(app.db, user.id, params.id)
  })

  on('DELETE /api/products/:id', { guard: ownGuard }, async ({ params }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await remove(app.db, user.id, params.id)
    // If the storage is unavailable, the cleanup job retries within a minute.
    await removeOfDeleted(app.db, app.files, { listing: params.id }).catch(() => {})
    return { message: 'Listing deleted' }
  })

  on(
    'POST /api/products/:id/images',
    { guard: sellerGuard, file: { authorize: request => requireUser(request), sniff: refuseByHeader } },
    async ({ params, headers, body }, request) => {
      const user = await requireUser(request)
      await requireSeller(app.db, user.id, params.id)
      const added = (db: Database) => photosChanged(db, params.id)
      const sent = { file: body.file, key: headers['idempotency-key'] }
      const image = await uploadPhoto(app, user.id, { product_id: params.id }, sent, added)
      uploaded()
      return image
    },
  )

  on('PUT /api/products/:id/images', { guard: sellerGuard }, async ({ params, headers, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    const arrangement = { photos: body.photos, expected: headers['expected-version'] }
    await arrangePhotos(app.db, app.files, user.id, params.id, arrangement)
    return products.find(app.db, params.id)
  })
}
