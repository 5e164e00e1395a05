import type { FastifyInstance } from 'fastify'
import { createApi } from '#platform/api/api.ts'
import { transaction } from '#platform/database/database.ts'
import { ipSubnet } from '#platform/http/origin.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { refuseCommon } from './common-passwords.ts'
import { calls, RESET_ASKED } from './contract.ts'
import { deleteOldestCookies, remember } from './device-cookies.ts'
import { deviceOf } from './device-name.ts'
import { countLink, resetGuesses } from './login-limits.ts'
import { requestReset, requireLink, resetPassword } from './password-reset.ts'
import { clearCookie, deviceTokenOf, setDeviceCookie, tokenOf } from './session-cookie.ts'
import { closeSession } from './session-store.ts'

/** Forgotten passwords: ask for a link, and set a new password with it. */
export function passwordResetRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)

  /** As `requireLink`. Counts guesses by network. @throws Problem 429 */
  const countedLink = (ip: string, token: string) => countLink(app, ip, () => requireLink(app.db, token))

  on('POST /api/auth/forgotten-password', async ({ body }, request) => {
    await consume(app, 'resets', ipSubnet(request.ip))
    await consume(app, 'account_resets', body.email)
    await requestReset(app.db, body.email)
    return { message: RESET_ASKED }
  })

  on('POST /api/auth/reset-password/check', async ({ body }, request) => {
    await countedLink(request.ip, body.token)
    return { message: 'This link can be used' }
  })

  on('POST /api/auth/reset-password', async ({ body }, request, reply) => {
    // Before the hash, which is expensive.
    await countedLink(request.ip, body.token)
    await refuseCommon(app.config, body.new_password)
    const device = deviceOf(request.headers['user-agent'])
    const { id, email, passkeys } = await resetPassword(app.db, body.token, body.new_password, device)
    // Its login afterwards is no news.
    const old = deviceTokenOf(request)
    setDeviceCookie(reply, await transaction(app.db, db => remember(db, id, device, old, true)))
    await deleteOldestCookies(app.db, id)
    await resetGuesses(app, request, email)
    request.log.info({ user: id, ip: request.ip }, 'password reset')
    // The browser's own session ends too, even that of another user: as at a login.
    const session = tokenOf(request)
    if (session) {
      await closeSession(app.db, session)
      clearCookie(reply)
    }
    return { message: 'Password changed', passkeys }
  })
}
