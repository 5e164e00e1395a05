import { sql } from 'kysely'
import type { Id } from '#contract'
import { batchLookups } from '#platform/database/batch.ts'
import type { Database } from '#platform/database/database.ts'
import type { Addressed } from '#platform/mail/delivery.ts'
import { DEMO } from './contract.ts'

const findUsers = batchLookups(async (db, ids) => {
  const users = await db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'email'])
    .select(sql<boolean>`email_confirmed_at is not null`.as('confirmed'))
    .where('id', '=', sql<Id>`any(${ids}::bigint[])`)
    .where('erased_at', 'is', null)
    .execute()
  return new Map(users.map(user => [String(user.id), user]))
})

/**
 * The recipient of a letter: their first name, and the address. Names are '' while the address is not confirmed,
 * since somebody else may have chosen them. Undefined for the demo account, which all visitors share.
 * @param address where the letter goes, if not to that of the account
 */
export async function recipientOf(
  db: Database,
  id: Id,
  address?: string,
): Promise<{ name: string; to: Addressed['to'] } | undefined> {
  const user = await findUsers(db, String(id))
  if (!user || user.email === DEMO.email) return undefined
  const { first_name, last_name, email } = user
  const confirmed = user.confirmed && (address ?? email) === email
  return {
    name: confirmed ? first_name : '',
    to: { name: confirmed ? `${first_name} ${last_name}` : '', address: address ?? email, confirmed },
  }
}
