import { randomBytes } from 'node:crypto'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import type { User } from './contract.ts'
import { CHALLENGE_MINUTES, issueChallenge } from './passkey-challenges.ts'
import type { CreationOptions, RequestOptions } from './passkeys-contract.ts'
import type { RelyingParty } from './relying-party.ts'
import { ALGORITHMS } from './verify-passkey.ts'

/** How long a browser waits for the user, ms. */
const timeout = CHALLENGE_MINUTES * 60_000

/** Passkeys of a user as a browser takes them. */
async function descriptorsOf(db: Database, userId: Id) {
  const rows = await db
    .selectFrom('passkeys')
    .select(['credential_id as id', 'transports', 'user_handle'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  const descriptors = rows.map(({ id, transports }) => ({ type: 'public-key' as const, id, transports }))
  return { descriptors, handle: rows[0]?.user_handle }
}

/** What any passkey of the shop has to sign to log in. */
export async function loginOptions(db: Database, party: RelyingParty): Promise<RequestOptions> {
  const challenge = await issueChallenge(db, { purpose: 'login' })
  return { challenge, rpId: party.id, timeout, userVerification: 'required', allowCredentials: [] }
}

/** What a passkey of the user has to sign to confirm a change. */
export async function confirmOptions(db: Database, party: RelyingParty, userId: Id): Promise<RequestOptions> {
  const { descriptors: allowCredentials } = await descriptorsOf(db, userId)
  const challenge = await issueChallenge(db, { purpose: 'confirm', userId })
  return { challenge, rpId: party.id, timeout, userVerification: 'required', allowCredentials }
}

/** What a new passkey has to sign. @param shop its name, which browsers show */
export async function creationOptions(
  db: Database,
  shop: string,
  party: RelyingParty,
  user: User,
): Promise<CreationOptions> {
  const { descriptors, handle = randomBytes(32) } = await descriptorsOf(db, user.id)
  const challenge = await issueChallenge(db, { purpose: 'add', userId: user.id, handle })
  return {
    challenge,
    rp: { id: party.id, name: shop },
    user: {
      id: handle.toString('base64url'),
      name: user.email,
      displayName: `${user.first_name} ${user.last_name}`,
    },
    pubKeyCredParams: ALGORITHMS.map(alg => ({ type: 'public-key', alg })),
    timeout,
    attestation: 'none',
    excludeCredentials: descriptors,
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  }
}
