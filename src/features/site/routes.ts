import type { FastifyInstance } from 'fastify'
import * as slots from '#images/picture-slot.ts'
import { refuseByHeader } from '#images/renditions.ts'
import { operatorGuard, requireOperator } from '#operators/require-operator.ts'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { calls } from './contract.ts'
import * as brand from './edit-brand.ts'
import * as settings from './settings.ts'

/** What operators set in the browser: settings, name and look of the shop. */
export function siteRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)

  on('GET /api/operate/settings', async (_, request) => {
    await requireOperator(request)
    return settings.read(app.db)
  })

  on('PUT /api/operate/settings', operatorGuard, async ({ body, headers }, request) => {
    const { id } = await requireOperator(request)
    await settings.change(app.db, id, body, headers['expected-version'])
    return settings.read(app.db)
  })

  on('GET /api/operate/brand', async (_, request) => {
    await requireOperator(request)
    return brand.edited(app.db)
  })

  on('PUT /api/operate/brand', operatorGuard, async ({ body, headers }, request) => {
    const { id } = await requireOperator(request)
    await brand.change(app.db, id, body, headers['expected-version'])
    return brand.edited(app.db)
  })

  on(
    'POST /api/operate/brand/:picture',
    { ...operatorGuard, file: { authorize: request => requireOperator(request), sniff: refuseByHeader } },
    async ({ params, query, body }, request) => {
      const { id } = await requireOperator(request)
      await consume(app, 'uploads', id)
      return slots.fill(app.db, app.files, null, body.file, brand.slotOf(id, params.picture, query.reason))
    },
  )

  on('DELETE /api/operate/brand/:picture', operatorGuard, async ({ params, query }, request) => {
    const { id } = await requireOperator(request)
    await slots.clear(app.db, app.files, brand.slotOf(id, params.picture, query.reason))
    return { message: 'Picture removed' }
  })
}
