import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countChange } from '#accounts/login-limits.ts'
import { changeNames } from '#accounts/names.ts'
import { requireOwnAccount } from '#accounts/own-account.ts'
import { clearCookie, requireUser, tokenOf } from '#accounts/session-cookie.ts'
import { createApi } from '#platform/api/api.ts'
import { limitConcurrency } from '#platform/http/concurrency-limit.ts'
import { fromAnotherSite, fromNowhere, isPrefetch } from '#platform/http/csrf.ts'
import { allowOnly } from '#platform/http/method-not-allowed.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { Problem } from '#problem'
import { archiveOf } from './archive.ts'
import { collectFor } from './collect.ts'
import { calls } from './contract.ts'
import { deleteAccount, preview } from './deletion.ts'

/** Memory and statements of one download at a time; its photos are read while it is sent. */
const inTurn = limitConcurrency({
  name: 'exports',
  maxRunning: 1,
  maxWaiting: 16,
  busy: 'Many people are downloading their data; please try again',
})

/** Cost in the admission queue of a download, in small requests. */
const EXPORT = 10

/** What users do with what the shop knows of them: change their names, delete their account. */
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
      await deleteAccount(app.db, app.files, user.id, body.current_password, body.reviews)
      await right()
      clearCookie(reply)
      request.log.info('an account was deleted by its owner')
      deleted()
      return { message: 'Account deleted' }
    },
  )

  const data = '/api/account/data'
  allowOnly(app, data, ['GET'])
  app.get(data, { exposeHeadRoute: false, config: { cost: () => EXPORT } }, async (request, reply) => {
    try {
      return await download(request, reply)
    } catch (error) {
      // A link asks for a page: the settings say what is wrong.
      const { status = 0 } = error as Partial<Problem>
      if (![429, 503].includes(status) || !request.headers.accept?.includes('text/html')) throw error
      return reply.header('cache-control', 'no-store').redirect('/settings/account?done=later', 303)
    }
  })
}

/** Sends the archive of the own data. @throws Problem 401, 403 for the demo account or a link elsewhere, 429, 503 */
async function download(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { server: app } = request
  if (fromAnotherSite(request) || fromNowhere(request) || isPrefetch(request))
    throw new Problem(403, 'Requests from another site are not accepted')
  const user = await requireOwnAccount(request)
  await consume(app, 'daily_exports', user.id)
  const data = await inTurn(() => collectFor(app.db, user.id))
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', 'attachment; filename="my-data.zip"')
    .type('application/zip')
    .send(archiveOf(app.files, data))
}
