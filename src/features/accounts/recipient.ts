import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import type { Addressed } from '#platform/mail/delivery.ts'
import { DEMO } from './contract.ts'

/** The recipient of a letter: their first name, and where to. Undefined for the demo account, which is everybody's. */
export async function recipientOf(
  db: Database,
  id: Id,
): Promise<{ name: string; to: Addressed['to'] } | undefined> {
  const user = await db
    .selectFrom('users')
    .select(['first_name', 'last_name', 'email'])
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  if (!user || user.email === DEMO.email) return undefined
  return { name: user.first_name, to: { name: `${user.first_name} ${user.last_name}`, address: user.email } }
}
