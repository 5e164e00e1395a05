import type { FastifyRequest } from 'fastify'
import type { Id } from '#contract'
import { Problem } from '#problem'
import { requirePassword } from './accounts.ts'
import { countChange } from './login-limits.ts'
import { confirmWithPasskey } from './passkeys.ts'
import type { Proof } from './passkeys-contract.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'
import { tokenOf } from './session-cookie.ts'

/** @throws Problem 409 where browsers offer no passkeys */
export function requireRelyingParty(request: FastifyRequest): RelyingParty {
  const party = relyingPartyOf(request)
  if (!party) throw new Problem(409, 'Passkeys do not work at this address of the shop')
  return party
}

/**
 * Checks password or passkey before a sensitive change, since somebody else may use the owner's open browser.
 * @throws Problem 400 wrong password or passkey, 429 after too many
 */
export async function reauthenticate(request: FastifyRequest, userId: Id, proof: Proof): Promise<void> {
  const { server: app } = request
  const right = await countChange(app, tokenOf(request) ?? '')
  if (proof.passkey) await confirmWithPasskey(app.db, requireRelyingParty(request), userId, proof.passkey)
  else await requirePassword(app.db, userId, proof.current_password ?? '')
  await right()
}
