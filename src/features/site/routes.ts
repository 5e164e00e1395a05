import type { FastifyInstance } from 'fastify'
import { operatorGuard, requireOperator } from '#operators/require-operator.ts'
import { createApi } from '#platform/api/api.ts'
import { calls } from './contract.ts'
import * as settings from './settings.ts'

/** The settings that operators change in the browser. */
export function siteRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)

  on('GET /api/operate/settings', async (_, request) => {
    await requireOperator(request)
    return settings.read(app.db)
  })

  on('PUT /api/operate/settings', operatorGuard, async ({ body }, request) => {
    const { id } = await requireOperator(request)
    const { reason, ...changed } = body
    await settings.change(app.db, id, changed, reason)
    return settings.read(app.db)
  })
}
