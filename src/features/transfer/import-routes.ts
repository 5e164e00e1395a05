import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import { limitConcurrency } from '#platform/http/concurrency-limit.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { calls, type Import, type ImportRow, ROWS_AT_ONCE } from './contract.ts'
import { importDrafts, previewImport } from './import-drafts.ts'
import * as pending from './pending-imports.ts'

/**
 * A file of 10 MB takes seconds, and all of its rows are in memory. A file that waits is not: it is stored, or one of the few
 * large bodies that a process accepts at the same time.
 */
const oneAtATime = limitConcurrency({
  name: 'imports',
  maxRunning: 1,
  maxWaiting: 50,
  busy: 'Files of others are being read. Please try again in a minute',
})

/** Etsy's listings file: shown first, then taken in. */
export function importRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const own = async ({ params }: { params: { importId: Id } }, request: FastifyRequest) =>
    pending.find(app.db, (await requireUser(request)).id, params.importId)

  on(
    'POST /api/import/',
    { file: { missing: 'Choose a file first', authorize: requireUser } },
    async ({ body }, request) => {
      const user = await requireUser(request)
      await consume(app, 'uploads', user.id)
      const rows = await oneAtATime(() => previewImport(app.db, user.id, () => [body.file]))
      return pageOf(await pending.save(app.db, user.id, body.file), rows)
    },
  )

  on('GET /api/import/:importId', { guard: own }, async ({ params, query }, request) => {
    const user = await requireUser(request)
    // It reads the whole file.
    await consume(app, 'changes', user.id)
    const rows = await oneAtATime(async () => {
      const file = await pending.find(app.db, user.id, params.importId)
      return previewImport(app.db, user.id, () => [file])
    })
    return pageOf(params.importId, rows, query.after)
  })

  on('POST /api/import/:importId', { guard: own }, async ({ params }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    const rows = await oneAtATime(async () => {
      const file = await pending.find(app.db, user.id, params.importId)
      return importDrafts(app.db, user.id, () => [file])
    })
    return pageOf(params.importId, rows)
  })
}

/** The rows after one, and the numbers of all. */
function pageOf(id: Id, rows: ImportRow[], after = 0): Import {
  const counts: Import['counts'] = {}
  for (const { outcome } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1
  const left = rows.filter(({ row }) => row > after)
  const shown = left.slice(0, ROWS_AT_ONCE)
  return { id, counts, rows: shown, next: left.length > shown.length ? (shown.at(-1)?.row ?? null) : null }
}
