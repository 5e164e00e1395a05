import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import * as images from '#images/images.ts'
import { removeOfDeleted } from '#images/sweep.ts'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { Problem } from '#problem'
import { calls } from './contract.ts'
import * as products from './products.ts'

/** Reading a document for so long (ms) counts as one more upload. */
const DOCUMENT_MS = 100

/** Listings: public to read, their own to write. */
export function productRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const onlySeller = async ({ params }: { params: { id: Id } }, request: FastifyRequest) =>
    products.onlySeller(app.db, (await requireUser(request)).id, params.id)
  const uploaded = app.counter('uploads', 'Photos and documents that were stored')

  on('GET /api/products/:id', ({ params }, db) => products.find(db, params.id))

  on('POST /api/products/', { guard: userGuard() }, async ({ body, headers }, request) => {
    const user = await requireUser(request)
    await consume(app, 'listings', user.id)
    return products.add(app.db, user.id, body, headers['idempotency-key'])
  })

  on(
    'PUT /api/products/:id',
    { guard: onlySeller },
    async ({ params, headers, body: { id, ...draft } }, request) => {
      const user = await requireUser(request)
      if (id !== undefined && id !== params.id) {
        await products.onlySeller(app.db, user.id, params.id)
        throw new Problem(400, 'The id in the body is not the one in the address')
      }
      await consume(app, 'changes', user.id)
      const { 'idempotency-key': idempotencyKey, 'expected-version': expected } = headers
      return products.update(app.db, user.id, params.id, draft, { idempotencyKey, expected })
    },
  )

  on('DELETE /api/products/:id', { guard: onlySeller }, async ({ params }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await products.remove(app.db, user.id, params.id)
    // If the storage is unavailable, the cleanup job retries within a minute.
    await removeOfDeleted(app.db, app.files, { listing: params.id }).catch(() => {})
    return { message: 'Listing deleted' }
  })

  on(
    'POST /api/products/:id/images',
    { guard: onlySeller, file: { authorize: request => requireUser(request), sniff: images.rejectEarly } },
    async ({ params, body }, request) => {
      const user = await requireUser(request)
      await products.onlySeller(app.db, user.id, params.id)
      await consume(app, 'uploads', user.id)
      const sender = {
        id: user.id,
        quota: app.config.quota,
        spent: (ms: number) => consume(app, 'uploads', user.id, Math.floor(ms / DOCUMENT_MS)),
      }
      const image = await images.attach(app.db, app.files, sender, params.id, body.file)
      uploaded()
      return image
    },
  )
}
