import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { calls } from './contract.ts'
import { countryOf, setCountry } from './country-cookie.ts'
import * as postage from './postage.ts'

/** Postage profiles of sellers, postage of listings, and the country that it is shown for. */
export function postageRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const ownProfile = async ({ params }: { params: { profileId: Id } }, request: FastifyRequest) =>
    postage.requireOwn(app.db, (await requireUser(request)).id, params.profileId)

  on('GET /api/postage/', async (_, request) => ({
    profiles: await postage.list(app.db, (await requireUser(request)).id),
  }))

  on('POST /api/postage/', { guard: userGuard() }, async ({ body, headers }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    return postage.add(app.db, user.id, body, headers['idempotency-key'])
  })

  on('PUT /api/postage/:profileId', { guard: ownProfile }, async ({ params, headers, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    return postage.change(app.db, user.id, params.profileId, body, headers['expected-version'])
  })

  on('PUT /api/postage/:profileId/default', { guard: ownProfile }, async ({ params }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    return postage.makeDefault(app.db, user.id, params.profileId)
  })

  on('DELETE /api/postage/:profileId', { guard: ownProfile }, async ({ params }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await postage.remove(app.db, user.id, params.profileId)
    return { message: 'Postage profile deleted' }
  })

  on('GET /api/products/:id/postage', ({ params }, db) => postage.ofListing(db, params.id))

  on('GET /api/country', async (_, request) => ({ country: countryOf(request) }))

  on('PUT /api/country', async ({ body }, _, reply) => {
    setCountry(reply, body.country)
    return body
  })
}
