import type { FastifyInstance } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { calls } from './contract.ts'
import * as pictures from './draft-pictures.ts'

/** How far the photos of a maker's imported drafts are. */
export function draftPictureRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const fetches = app.config.importPhotos

  on('GET /api/import/photos', async (_, request) =>
    pictures.progress(app.db, (await requireUser(request)).id, fetches),
  )

  on('POST /api/import/photos/retry', { guard: userGuard() }, async (_, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await pictures.retry(app.db, user.id)
    return pictures.progress(app.db, user.id, fetches)
  })
}
