import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countChange } from '#accounts/login-limits.ts'
import { changeNames } from '#accounts/names.ts'
import { requireOwnAccount } from '#accounts/own-account.ts'
import { clearCookie, requireUser, tokenOf } from '#accounts/session-cookie.ts'
import { createApi } from '#platform/api/api.ts'
import { downloadRoute } from '#platform/http/download-route.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { Problem } from '#problem'
import { ARCHIVE_PATH, ArchiveQuery, calls } from './contract.ts'
import { deleteAccount, preview } from './deletion.ts'
import { NO_ARCHIVE, readyExport, requestExport, statusOf } from './exports.ts'
import { openStream } from './stored-stream.ts'

/** What users do with what the shop knows of them: change their names, download their data, delete their account. */
export function personalDataRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const deleted = app.counter('shop_accounts_deleted_total', 'Accounts that their owners deleted')

  on(
    'PUT /api/account/names',
    { guard: (_, request) => requireOwnAccount(request) },
    async ({ body }, request) => {
      const user = await requireOwnAccount(request)
      await consume(app, 'names', user.id)
      return changeNames(app.db, user.id, body)
    },
  )

  on('GET /api/account/deletion', async (_, request) => preview(app.db, (await requireUser(request)).id))

  on(
    'POST /api/account/deletion',
    { guard: (_, request) => requireOwnAccount(request) },
    async ({ body }, request, reply) => {
      const user = await requireOwnAccount(request)
      const right = await countChange(app, tokenOf(request) ?? '')
      await deleteAccount(app, user.id, body.current_password, body.reviews)
      await right()
      clearCookie(reply)
      request.log.info('an account was deleted by its owner')
      deleted()
      return { message: 'Account deleted' }
    },
  )

  on('POST /api/account/data', { guard: (_, request) => requireOwnAccount(request) }, async (_, request) => {
    const user = await requireOwnAccount(request)
    await requestExport(app, user.id)
    return statusOf(app, user.id)
  })

  on('GET /api/account/data', { guard: (_, request) => requireUser(request) }, async ({ query }, request) => {
    const user = await requireUser(request)
    if (query.archive !== undefined) await readyExport(app.db, user.id, query.archive)
    return statusOf(app, user.id)
  })

  downloadRoute(app, { path: ARCHIVE_PATH, send: download, pageFor })
}

/** Sends the archive of the own data. @throws Problem 401, 404 if there is none, 429, 503 */
async function download(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { server: app } = request
  const user = await requireUser(request)
  const { folder, bytes } = await readyExport(app.db, user.id, archiveIn(request))
  const { stream, size } = await openStream(app.privateFiles, folder)
  try {
    // Its file was removed a moment ago, or is lost.
    if (size !== bytes) throw new Problem(404, NO_ARCHIVE)
    await consume(app, 'daily_downloads', user.id)
  } catch (refusal) {
    stream.destroy()
    throw refusal
  }
  return reply
    .header('content-disposition', 'attachment; filename="my-data.zip"')
    .header('content-length', bytes)
    .type('application/zip')
    .send(stream)
}

/** The secret of a letter, in the address. One of another form is unknown. */
function archiveIn({ query }: FastifyRequest): string | undefined {
  const read = ArchiveQuery.safeParse(query)
  return read.success ? read.data.archive : ''
}

/** The page says why. */
function pageFor(status: number, request: FastifyRequest): string | undefined {
  const archive = archiveIn(request)
  const page = `/settings/account${archive === undefined ? '' : `?archive=${encodeURIComponent(archive)}`}`
  switch (status) {
    case 401:
      return `/login?next=${encodeURIComponent(page)}`
    case 404:
      return archive === undefined ? '/settings/account?archive=none' : page
    case 429:
      return '/settings/account?done=enough'
    case 503:
      return '/settings/account?done=later'
    default:
      return undefined
  }
}
