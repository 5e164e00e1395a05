import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { calls } from './contract.ts'
import * as sections from './sections.ts'

/** Sections of makers' shops: public to read, their own to write. */
export function sectionRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const own = async ({ params }: { params: { sectionId: Id } }, request: FastifyRequest) =>
    sections.requireOwn(app.db, (await requireUser(request)).id, params.sectionId)

  on('GET /api/sections/', async (_, request) => ({
    sections: await sections.list(app.db, (await requireUser(request)).id),
  }))

  on('POST /api/sections/', { guard: userGuard() }, async ({ body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    return sections.add(app.db, user.id, body.name)
  })

  on('PUT /api/sections/:sectionId', { guard: own }, async ({ params, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    return sections.rename(app.db, user.id, params.sectionId, body.name)
  })

  on('PUT /api/sections/:sectionId/position', { guard: own }, async ({ params, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    return { sections: await sections.move(app.db, user.id, params.sectionId, body.position) }
  })

  on('DELETE /api/sections/:sectionId', { guard: own }, async ({ params }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await sections.remove(app.db, user.id, params.sectionId)
    return { message: 'Section removed' }
  })

  on('GET /api/shops/:username/sections', async ({ params }, db) => ({
    sections: await sections.ofShop(db, params.username),
  }))
}
