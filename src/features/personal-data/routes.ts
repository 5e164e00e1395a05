import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countChange } from '#accounts/login-limits.ts'
import { changeNames } from '#accounts/names.ts'
import { requireOwnAccount } from '#accounts/own-account.ts'
import { clearCookie, requireUser, tokenOf } from '#accounts/session-cookie.ts'
import { createApi } from '#platform/api/api.ts'
import { fromAnotherSite } from '#platform/http/csrf.ts'
import { allowOnly } from '#platform/http/method-not-allowed.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { Problem } from '#problem'
import { ARCHIVE_PATH, ArchiveQuery, calls } from './contract.ts'
import { deleteAccount, preview } from './deletion.ts'
import { NO_ARCHIVE, readyExport, requestExport, statusOf } from './exports.ts'
import { openStream } from './stored-stream.ts'

/** What users do with what the shop knows of them: change their names, download their data, delete their account. */
export function personalDataRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const deleted = app.counter('accounts_deleted', 'Accounts that their owners deleted')

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

  allowOnly(app, ARCHIVE_PATH, ['GET'])
  app.get(ARCHIVE_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    try {
      return await download(request, reply)
    } catch (error) {
      const page = pageFor(error, request)
      if (!page) throw error
      return reply.header('cache-control', 'no-store').redirect(page, 303)
    }
  })
}

/** Sends the archive of the own data. @throws Problem 401, 403 for a link elsewhere, 404 if there is none, 429, 503 */
async function download(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { server: app } = request
  if (fromAnotherSite(request)) throw new Problem(403, 'Requests from another site are not accepted')
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
    .header('cache-control', 'no-store')
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

/** Where a browser goes that followed a link to the archive in vain: the page says why. Undefined for programs. */
function pageFor(error: unknown, request: FastifyRequest): string | undefined {
  if (!request.headers.accept?.includes('text/html')) return undefined
  const archive = archiveIn(request)
  const page = `/settings/account${archive === undefined ? '' : `?archive=${encodeURIComponent(archive)}`}`
  switch ((error as Partial<Problem>).status) {
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
