import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requirePerson, signedIn } from '#accounts/session.ts'
import type { Id } from '#contract'
import * as images from '#images/images.ts'
import { removeOfDeleted } from '#images/sweep.ts'
import { Problem } from '#problem'
import { count } from '#server/gates/limits.ts'
import { serving } from '#server/http.ts'
import * as catalogue from './catalogue.ts'
import { calls } from './contract.ts'
import { counts } from './counts.ts'
import * as products from './products.ts'
import { similar, suggest } from './suggest.ts'

/** Milliseconds of reading a document that count as much as one more upload. */
const DOCUMENT_MS = 100

/** Listings: everybody reads, their sellers write. */
export function productRoutes(app: FastifyInstance): void {
  const on = serving(app, calls)
  const onlySeller = async ({ params }: { params: { id: Id } }, request: FastifyRequest) =>
    products.onlySeller(app.db, (await signedIn(request)).id, params.id)
  const uploaded = app.tally('uploads', 'Photos and documents that were stored')

  on('GET /api/products/', ({ query }, db, part) => catalogue.list(db, query, part))

  on('GET /api/products/current', { guard: requirePerson() }, async ({ query }, request) =>
    catalogue.list(app.db, { ...query, seller: (await signedIn(request)).username }),
  )

  on('GET /api/products/counts', ({ query }, db, part) => counts(db, query, part))

  on('GET /api/products/suggestions', ({ query }, db) => suggest(db, query.q))

  on('GET /api/products/:id', ({ params }, db) => products.find(db, params.id))

  on('GET /api/products/:id/similar', async ({ params }, db) => ({ products: await similar(db, params.id) }))

  on('POST /api/products/', { guard: requirePerson() }, async ({ body, headers }, request) => {
    const user = await signedIn(request)
    await count(app, 'listings', user.id)
    return products.add(app.db, user.id, body, headers['idempotency-key'])
  })

  on(
    'PUT /api/products/:id',
    { guard: onlySeller },
    async ({ params, headers, body: { id, ...draft } }, request) => {
      const user = await signedIn(request)
      if (id !== undefined && id !== params.id) {
        await products.onlySeller(app.db, user.id, params.id)
        throw new Problem(400, 'The id in the body is not the one in the address')
      }
      await count(app, 'changes', user.id)
      const { 'idempotency-key': sentAs, 'expected-version': expected } = headers
      return products.update(app.db, user.id, params.id, draft, { sentAs, expected })
    },
  )

  on('DELETE /api/products/:id', { guard: onlySeller }, async ({ params }, request) => {
    const user = await signedIn(request)
    await count(app, 'changes', user.id)
    await products.remove(app.db, user.id, params.id)
    // Where they are out of reach now, it is tried again within a minute.
    await removeOfDeleted(app.db, app.files, { listing: params.id }).catch(() => {})
    return { message: 'Listing deleted' }
  })

  on(
    'POST /api/products/:id/images',
    { guard: onlySeller, file: { before: request => signedIn(request), look: images.look } },
    async ({ params, body }, request) => {
      const user = await signedIn(request)
      await products.onlySeller(app.db, user.id, params.id)
      await count(app, 'uploads', user.id)
      const sender = {
        id: user.id,
        quota: app.config.quota,
        spent: (ms: number) => count(app, 'uploads', user.id, Math.floor(ms / DOCUMENT_MS)),
      }
      const image = await images.attach(app.db, app.files, sender, params.id, body.image)
      uploaded()
      return image
    },
  )
}
