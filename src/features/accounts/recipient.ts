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
    .where('id', '=', sql<Id>`any(${ids}::bigint[])`)
    .where('erased_at', 'is', null)
    .execute()
  return new Map(users.map(user => [String(user.id), user]))
})

/** The recipient of a letter: their first name, and where to. Undefined for the demo account, which is everybody's. */
export async function recipientOf(
  db: Database,
  id: Id,
): Promise<{ name: string; to: Addressed['to'] } | undefined> {
  const user = await findUsers(db, String(id))
  if (!user || user.email === DEMO.email) return undefined
  return { name: user.first_name, to: { name: `${user.first_name} ${user.last_name}`, address: user.email } }
}
