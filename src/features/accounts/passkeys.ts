import { randomBytes } from 'node:crypto'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { violatedConstraint } from '#platform/database/database-errors.ts'
import { Problem } from '#problem'
import type { Authenticated } from './accounts.ts'
import { lockLoginMethods, requireAnotherLoginMethod } from './login-methods.ts'
import { takeChallenge } from './passkey-challenges.ts'
import type { Assertion, Passkey, Registration } from './passkeys-contract.ts'
import type { RelyingParty } from './relying-party.ts'
import { recordEvent } from './security-events.ts'
import { userColumns } from './session-store.ts'
import { type Credential, REFUSED_PASSKEY, verifyAssertion, verifyRegistration } from './verify-passkey.ts'

/** Maximum number of passkeys of a user. */
const MOST = 20

const UNKNOWN =
  'This passkey is not known here. If you have removed it, log in with another one or your password'
const COPIED = 'This passkey may have been copied, so it was refused. Log in another way and remove it'

const columns = ['id', 'name', 'created_at', 'used_at', 'backed_up'] as const
interface Row {
  id: Id
  name: string
  created_at: Date
  used_at: Date | null
  backed_up: boolean
}
const shown = ({ id, name, created_at, used_at, backed_up }: Row): Passkey => ({
  id,
  name,
  added_at: created_at.toISOString(),
  used_at: used_at?.toISOString() ?? null,
  synced: backed_up,
})

/** The passkeys of a user, the oldest first. */
export async function passkeysOf(db: Database, userId: Id): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(shown)
}

/**
 * Adds a passkey. Its user gets a letter.
 * @param device from which it is added, in words
 * @throws Problem 400 if it cannot be checked, 409 if it is there already or the user has too many
 */
export async function addPasskey(
  db: Database,
  party: RelyingParty,
  { userId, name, device }: { userId: Id; name: string; device: string },
  response: Registration,
): Promise<Passkey> {
  const { clientDataJSON } = response.response
  const { challenge, handle } = await takeChallenge(db, clientDataJSON, { purpose: 'add', userId })
  const credential = await verifyRegistration(party, response, challenge)
  try {
    return await transaction(db, async db => {
      const { passkeys } = await lockLoginMethods(db, userId)
      if (passkeys >= MOST) throw new Problem(409, `An account can have at most ${MOST} passkeys`)
      const row = { ...credential, user_id: userId, user_handle: handle ?? randomBytes(32), name }
      const added = await db.insertInto('passkeys').values(row).returning(columns).executeTakeFirstOrThrow()
      await recordEvent(db, 'passkey-added', { userId, device, passkey: name })
      return shown(added)
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'passkeys_credential') throw error
    throw new Problem(409, 'This passkey is there already', { cause: error })
  }
}

/** Renames a passkey. @throws Problem 404 if it is not the user’s */
export async function renamePasskey(db: Database, userId: Id, id: Id, name: string): Promise<Passkey> {
  const renamed = await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(columns)
    .executeTakeFirst()
  if (!renamed) throw missing()
  return shown(renamed)
}

/**
 * Removes a passkey. Sessions stay, and its user gets a letter.
 * @param device from which it is removed, in words
 * @throws Problem 404 if it is not the user’s, 409 if it is the last way to log in
 */
export async function removePasskey(db: Database, userId: Id, id: Id, device: string): Promise<void> {
  await transaction(db, async db => {
    await requireAnotherLoginMethod(db, userId)
    const removed = await db
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('name')
      .executeTakeFirst()
    if (!removed) throw missing()
    await recordEvent(db, 'passkey-removed', { userId, device, passkey: removed.name })
  })
}

/** @throws Problem 404 if the passkey is not the user’s */
export async function requireOwnPasskey(db: Database, userId: Id, id: Id): Promise<void> {
  const own = await db
    .selectFrom('passkeys')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!own) throw missing()
}

const missing = () => new Problem(404, 'There is no such passkey')

/**
 * Verifies a login: the passkey names the account.
 * @throws Problem 400 if the challenge is used or expired, 401 if the passkey is unknown, copied or cannot be checked
 */
export async function verifyPasskeyLogin(
  db: Database,
  party: RelyingParty,
  response: Assertion,
): Promise<Authenticated> {
  const { challenge } = await takeChallenge(db, response.response.clientDataJSON, { purpose: 'login' })
  const found = await db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .select([...userColumns, 'password_hash'])
    .select(['passkeys.id as passkey', 'credential_id', 'public_key', 'user_handle'])
    .where('credential_id', '=', response.id)
    .executeTakeFirst()
  if (!found) throw new Problem(401, UNKNOWN)
  const { passkey, credential_id, public_key, user_handle, password_hash, ...user } = found
  if (response.response.userHandle !== user_handle.toString('base64url'))
    throw new Problem(401, REFUSED_PASSKEY)
  const signed = await verifyAssertion(party, response, challenge, { credential_id, public_key }, 401)
  await noteUse(db, passkey, signed, 401)
  return { user, password_hash }
}

/** Checks that a user has confirmed a change with one of their passkeys. @throws Problem 400 */
export async function confirmWithPasskey(
  db: Database,
  party: RelyingParty,
  userId: Id,
  response: Assertion,
): Promise<void> {
  const { clientDataJSON } = response.response
  const { challenge } = await takeChallenge(db, clientDataJSON, { purpose: 'confirm', userId })
  const passkey = await db
    .selectFrom('passkeys')
    .select(['id', 'credential_id', 'public_key'])
    .where('credential_id', '=', response.id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!passkey) throw new Problem(400, UNKNOWN)
  await noteUse(db, passkey.id, await verifyAssertion(party, response, challenge, passkey, 400), 400)
}

/** Records a use. @throws Problem with `status` if the counter has not gone up: somebody may have copied the passkey */
async function noteUse(
  db: Database,
  id: Id,
  { counter, backed_up }: Pick<Credential, 'counter' | 'backed_up'>,
  status: 400 | 401,
): Promise<void> {
  const noted = await db
    .updateTable('passkeys')
    .set({ counter, backed_up, used_at: new Date() })
    .where('id', '=', id)
    .where(eb => eb.or([eb('counter', '<', counter), eb.and([eb('counter', '=', 0), eb.val(counter === 0)])]))
    .returning('id')
    .executeTakeFirst()
  if (!noted) throw new Problem(status, COPIED)
}
