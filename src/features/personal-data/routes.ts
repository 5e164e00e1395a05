import type { FastifyInstance } from 'fastify'
import { countChange } from '#accounts/login-limits.ts'
import { changeNames } from '#accounts/names.ts'
import { requireOwnAccount } from '#accounts/own-account.ts'
import { clearCookie, requireUser, tokenOf } from '#accounts/session-cookie.ts'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { calls } from './contract.ts'
import { deleteAccount, preview } from './deletion.ts'

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
}
