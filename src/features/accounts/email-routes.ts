import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import { ipSubnet } from '#platform/http/origin.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { requirePassword } from './accounts.ts'
import * as address from './email-address.ts'
import { emailCalls } from './email-contract.ts'
import { countChange, countLink } from './login-limits.ts'
import { requireOwnAccount } from './own-account.ts'
import { requireUser, tokenOf } from './session-cookie.ts'

/** Confirm and change the e-mail address. */
export function emailRoutes(app: FastifyInstance): void {
  const on = createApi(app, emailCalls)
  const ownAccount = { guard: (_: unknown, request: FastifyRequest) => requireOwnAccount(request) }
  /** Counts a letter that the user requests. @throws Problem 429 */
  const countLetter = async (request: FastifyRequest, userId: Id) => {
    await consume(app, 'confirmations', userId)
    await consume(app, 'network_confirmations', ipSubnet(request.ip))
  }

  on('GET /api/auth/email', async (_, request) => address.emailOf(app.db, (await requireUser(request)).id))

  on('POST /api/auth/email', ownAccount, async ({ body }, request) => {
    const { id } = await requireOwnAccount(request)
    const right = await countChange(app, tokenOf(request) ?? '')
    const verified = await requirePassword(app.db, id, body.current_password)
    await right()
    // Before it is looked up: refusals say which addresses have accounts.
    await countLetter(request, id)
    await address.askChange(app.db, id, body.email, verified)
    request.log.info({ user: id, ip: request.ip }, 'change of the e-mail address asked for')
    return { message: `We have sent a letter to ${body.email}` }
  })

  on('DELETE /api/auth/email/change', ownAccount, async (_, request) => {
    await address.cancelChange(app.db, (await requireOwnAccount(request)).id)
    return { message: 'Your e-mail address stays as it is' }
  })

  on('POST /api/auth/confirmations', ownAccount, async (_, request) => {
    const { id } = await requireOwnAccount(request)
    await countLetter(request, id)
    await address.askConfirmation(app.db, id)
    return { message: 'We have sent you a letter' }
  })

  on('POST /api/auth/confirm-email', async ({ body }, request) => {
    const { userId, ...done } = await countLink(app, request.ip, () =>
      address.confirmEmail(app.db, body.token),
    )
    request.log.info({ user: userId, ip: request.ip }, `e-mail address: ${done.outcome}`)
    return done
  })
}
