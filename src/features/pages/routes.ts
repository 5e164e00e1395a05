import type { FastifyInstance } from 'fastify'
import { requireUser } from '#accounts/session-cookie.ts'
import { operatorGuard, requireOperator } from '#operators/require-operator.ts'
import { createApi } from '#platform/api/api.ts'
import * as agreements from './agreements.ts'
import { calls } from './contract.ts'
import { blanksOf, stepsOf } from './markdown.ts'
import * as pages from './pages.ts'

/** Pages about the shop, written by operators, and public as soon as they are published. */
export function pageTextRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const large = { ...operatorGuard, sender: requireOperator }

  on('GET /api/pages/', async (_, db) => ({ pages: await pages.published(db) }))

  on('GET /api/pages/:slug', async ({ params }, db) => pages.read(db, params.slug))

  on('GET /api/account/agreements', async (_, request) => ({
    agreements: await agreements.agreedBy(app.db, (await requireUser(request)).id),
  }))

  on('GET /api/operate/pages', async (_, request) => {
    await requireOperator(request)
    return { pages: await pages.list(app.db) }
  })

  on('GET /api/operate/pages/:slug', operatorGuard, async ({ params, query }, request) => {
    await requireOperator(request)
    return pages.edited(app.db, params.slug, query.version)
  })

  on('POST /api/operate/pages/preview', large, async ({ body }, request) => {
    await requireOperator(request)
    return { content: stepsOf(body.text), blanks: blanksOf(body.text) }
  })

  on('POST /api/operate/pages/:slug/versions', large, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    return pages.save(app.db, id, params.slug, body)
  })

  on('POST /api/operate/pages/:slug/publish', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await pages.publish(app.db, id, params.slug, body)
    return { message: 'Page published' }
  })

  on('POST /api/operate/pages/:slug/take-back', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await pages.unpublish(app.db, id, params.slug, body.reason)
    return { message: 'Page taken back' }
  })

  on('PUT /api/operate/pages/:slug/agreement', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await agreements.requireAgreement(app.db, id, params.slug, body)
    return { message: 'Saved' }
  })
}
