import type { FastifyInstance, FastifyRequest } from 'fastify'
import { OTHER_ACCOUNT } from '#accounts/other-account.ts'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import * as images from '#images/images.ts'
import { refuseByHeader } from '#images/renditions.ts'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { Problem } from '#problem'
import * as products from '#products/products.ts'
import { requireSeller } from '#products/seller-of.ts'
import { uploaderOf, uploadPhoto } from '#products/upload-photo.ts'
import { calls } from './contract.ts'
import * as drafts from './drafts.ts'
import { duplicate } from './duplicate.ts'
import { arrangePhotos } from './photos.ts'
import { publish, publishAll, publishedFrom } from './publish.ts'

/** A maker's own drafts. For other users they do not exist (404). */
export function draftRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const uploaded = app.counter('shop_uploads_total', 'Photos and documents that were stored')
  const own = async ({ params }: { params: { draftId: Id } }, request: FastifyRequest) =>
    drafts.requireOwn(app.db, (await requireUser(request)).id, params.draftId)
  /** Also one that was published: publishing it again is no mistake. */
  const wasOwn = async ({ params }: { params: { draftId: Id } }, request: FastifyRequest) => {
    const { id } = await requireUser(request)
    await drafts.requireOwn(app.db, id, params.draftId).catch(() => publishedFrom(app.db, id, params.draftId))
  }
  /** The user, whose change is counted. */
  const changing = async (request: FastifyRequest) => {
    const user = await requireUser(request)
    await consume(app, 'drafts', user.id)
    return user
  }
  const discard = (folders: string[]) => Promise.all(folders.map(folder => images.discard(app.files, folder)))

  on('GET /api/drafts/', { guard: userGuard() }, async ({ query }, request) =>
    drafts.list(app.db, (await requireUser(request)).id, query),
  )

  on('POST /api/drafts/', { guard: userGuard(), sender: requireUser }, async ({ headers, body }, request) => {
    const account = headers['expected-account']
    const user = await requireUser(request)
    if (account !== undefined && Number(account) !== user.id) throw new Problem(403, OTHER_ACCOUNT)
    await changing(request)
    return drafts.create(app.db, user.id, body.fields, headers['idempotency-key'])
  })

  on('GET /api/drafts/:draftId', async ({ params }, request) =>
    drafts.find(app.db, (await requireUser(request)).id, params.draftId),
  )

  on('GET /api/drafts/:draftId/listing', async ({ params }, request) => {
    const { id } = await requireUser(request)
    return products.find(app.db, await publishedFrom(app.db, id, params.draftId))
  })

  on(
    'PUT /api/drafts/:draftId',
    { guard: own, sender: requireUser },
    async ({ params, headers, body }, request) => {
      const user = await changing(request)
      return drafts.save(app.db, user.id, params.draftId, body.fields, headers['expected-version'])
    },
  )

  on('DELETE /api/drafts/:draftId', { guard: own }, async ({ params, headers }, request) => {
    const user = await changing(request)
    await discard(await drafts.remove(app.db, user.id, params.draftId, headers['expected-version']))
    return { message: 'Draft deleted' }
  })

  on(
    'POST /api/drafts/:draftId/images',
    { guard: own, file: { authorize: request => requireUser(request), sniff: refuseByHeader } },
    async ({ params, headers, body }, request) => {
      const user = await requireUser(request)
      await drafts.requireOwn(app.db, user.id, params.draftId)
      const sent = { file: body.file, key: headers['idempotency-key'] }
      const image = await uploadPhoto(app, user.id, { draft_id: params.draftId }, sent)
      uploaded()
      return image
    },
  )

  on('PUT /api/drafts/:draftId/images', { guard: own }, async ({ params, body }, request) => {
    const user = await changing(request)
    await discard(await arrangePhotos(app.db, user.id, params.draftId, body))
    return drafts.find(app.db, user.id, params.draftId)
  })

  on('POST /api/drafts/:draftId/publish', { guard: wasOwn }, async ({ params }, request) => {
    const user = await requireUser(request)
    await consume(app, 'listings', user.id)
    return publish(app.db, user.id, params.draftId)
  })

  on('POST /api/drafts/publish', { guard: userGuard() }, async ({ body }, request) => {
    const user = await requireUser(request)
    return publishAll(app.db, user.id, body.ids, () => consume(app, 'listings', user.id))
  })

  on(
    'POST /api/products/:id/draft',
    {
      guard: async ({ params }: { params: { id: Id } }, request: FastifyRequest) =>
        requireSeller(app.db, (await requireUser(request)).id, params.id),
    },
    async ({ params }, request) => {
      const user = await changing(request)
      return duplicate(app.db, app.files, uploaderOf(app, user.id), params.id)
    },
  )
}
