import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import { ipSubnet } from '#platform/http/origin.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { Problem } from '#problem'
import { deviceOf } from './device-name.ts'
import { requireOwnAccount } from './own-account.ts'
import * as options from './passkey-options.ts'
import * as passkeys from './passkeys.ts'
import { passkeyCalls } from './passkeys-contract.ts'
import { reauthenticate, requireRelyingParty } from './reauthenticate.ts'
import { startSession } from './routes.ts'
import { requireUser } from './session-cookie.ts'

/** Log in with a passkey; add, rename and remove passkeys. */
export function passkeyRoutes(app: FastifyInstance): void {
  const on = createApi(app, passkeyCalls)
  const ownAccount = { guard: (_: unknown, request: FastifyRequest) => requireOwnAccount(request) }
  const ownPasskey = {
    guard: async ({ params }: { params: { id: Id } }, request: FastifyRequest) =>
      passkeys.requireOwnPasskey(app.db, (await requireOwnAccount(request)).id, params.id),
  }

  on('POST /api/auth/login/passkey/challenge', async (_, request) => {
    const party = requireRelyingParty(request)
    await consume(app, 'passkeys', ipSubnet(request.ip))
    return options.loginOptions(app.db, party)
  })

  on('POST /api/auth/login/passkey', async ({ body }, request, reply) => {
    const party = requireRelyingParty(request)
    await consume(app, 'logins', ipSubnet(request.ip))
    const proved = await passkeys.verifyPasskeyLogin(app.db, party, body.credential).catch(error => {
      if (error instanceof Problem) request.log.warn({ ip: request.ip }, `refused: ${error.message}`)
      throw error
    })
    return startSession(request, reply, proved)
  })

  on('GET /api/auth/passkeys', async (_, request) => {
    const user = await requireUser(request)
    return { passkeys: await passkeys.passkeysOf(app.db, user.id) }
  })

  on('POST /api/auth/passkeys/confirmation', ownAccount, async (_, request) => {
    const user = await requireOwnAccount(request)
    const party = requireRelyingParty(request)
    await consume(app, 'passkeys', ipSubnet(request.ip))
    return options.confirmOptions(app.db, party, user.id)
  })

  on('POST /api/auth/passkeys/challenge', ownAccount, async ({ body }, request) => {
    const user = await requireOwnAccount(request)
    const party = requireRelyingParty(request)
    await reauthenticate(request, user.id, body)
    return options.creationOptions(app.db, app.brand.latest.name, party, user)
  })

  on('POST /api/auth/passkeys', ownAccount, async ({ body }, request) => {
    const user = await requireOwnAccount(request)
    const device = deviceOf(request.headers['user-agent'])
    const about = { userId: user.id, name: body.name ?? device, device }
    const added = await passkeys.addPasskey(app.db, requireRelyingParty(request), about, body.credential)
    request.log.info({ user: user.id, ip: request.ip }, 'passkey added')
    return added
  })

  on('PUT /api/auth/passkeys/:id', ownPasskey, async ({ params, body }, request) =>
    passkeys.renamePasskey(app.db, (await requireOwnAccount(request)).id, params.id, body.name),
  )

  on('POST /api/auth/passkeys/:id/remove', ownPasskey, async ({ params, body }, request) => {
    const { id } = await requireOwnAccount(request)
    await passkeys.requireOwnPasskey(app.db, id, params.id)
    await reauthenticate(request, id, body)
    await passkeys.removePasskey(app.db, id, params.id, deviceOf(request.headers['user-agent']))
    request.log.info({ user: id, ip: request.ip }, 'passkey removed')
    return { message: 'Passkey removed' }
  })
}
