import type { FastifyInstance } from 'fastify'
import { countPasskeys } from '#accounts/login-methods.ts'
import { reauthenticate } from '#accounts/reauthenticate.ts'
import { requireUser, tokenOf, userGuard } from '#accounts/session-cookie.ts'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { Problem } from '#problem'
import { calls, PASSKEY_REQUIRED } from './contract.ts'
import { becomeFirst } from './first-operator.ts'
import * as log from './log.ts'
import * as operators from './operators.ts'
import { requireTrusted } from './passkey-age.ts'
import {
  hasReauthenticated,
  operatorGuard,
  requireOperator,
  requireOperatorAccount,
  setOperatorCookie,
} from './require-operator.ts'
import * as sessions from './sessions.ts'

/** Calls about operators: their list, their reauthentication, and their log. */
export function operatorRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const passkey_required = app.config.operatorPasskey

  on('GET /api/operate/session', async (_, request) => {
    const user = await requireOperatorAccount(request)
    const has_passkey = (await countPasskeys(app.db, user.id)) > 0
    return { confirmed: await hasReauthenticated(request), passkey_required, has_passkey }
  })

  on(
    'POST /api/operate/session',
    { guard: (_, request) => requireOperatorAccount(request) },
    async ({ body }, request, reply) => {
      const user = await requireOperatorAccount(request)
      if (passkey_required && !body.passkey)
        throw new Problem(
          403,
          (await countPasskeys(app.db, user.id)) > 0 ? 'Please confirm with your passkey' : PASSKEY_REQUIRED,
        )
      await reauthenticate(request, user.id, body)
      if (passkey_required && body.passkey) await requireTrusted(app.db, user.id, body.passkey.id)
      setOperatorCookie(reply, await sessions.open(app.db, tokenOf(request) ?? ''))
      request.log.info({ user: user.id, ip: request.ip }, 'operator confirmed')
      return { message: 'Confirmed' }
    },
  )

  on(
    'DELETE /api/operate/session',
    { guard: (_, request) => requireOperatorAccount(request) },
    async (_, request, reply) => {
      await requireOperatorAccount(request)
      await sessions.close(app.db, tokenOf(request) ?? '')
      setOperatorCookie(reply, '')
      return { message: 'You have left the pages of operators' }
    },
  )

  on('POST /api/setup', { guard: userGuard() }, async ({ body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await becomeFirst(app.db, user, body.token)
    request.log.info({ user: user.id, ip: request.ip }, 'first operator')
    return { message: 'You run this shop now' }
  })

  on('GET /api/operate/operators', async (_, request) => {
    await requireOperator(request)
    return { operators: await operators.list(app.db) }
  })

  on('POST /api/operate/operators', operatorGuard, async ({ body }, request) => {
    const { id } = await requireOperator(request)
    return operators.add(app.db, id, body.email, body.reason)
  })

  on('POST /api/operate/operators/:userId/remove', operatorGuard, async ({ params, body }, request) => {
    const { id } = await requireOperator(request)
    await operators.remove(app.db, id, params.userId, body.reason)
    return { message: 'They are no longer an operator' }
  })

  on('GET /api/operate/log', operatorGuard, async ({ query }, request) => {
    await requireOperator(request)
    return log.list(app.db, query)
  })
}
