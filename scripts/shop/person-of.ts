import { sql } from 'kysely'
import { hasUsername } from '../../src/features/accounts/find-user.ts'
import type { Database } from '../../src/platform/database/database.ts'
import type { Id } from '../../src/shared/contract.ts'

/** The user with this e-mail address or username. @throws Error if there is none */
export async function personOf(db: Database, named: string): Promise<Id> {
  const person = await db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`(lower(email) = lower(${named}) or ${hasUsername(named)})`)
    .where('erased_at', 'is', null)
    // A username may look like an address.
    .orderBy(sql`lower(email) = lower(${named})`, 'desc')
    .executeTakeFirst()
  if (!person) throw new Error(`Nobody has the address or username ${named}`)
  return person.id
}
