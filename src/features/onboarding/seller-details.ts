import { sql } from 'kysely'
import { userNamed } from '#accounts/find-user.ts'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import type { SellerDetails } from './contract.ts'

const columns = [
  ...(['is_trader', 'name', 'address', 'email', 'phone'] as const),
  ...(['register', 'vat_id', 'responsible_person', 'outside_eu', 'safety'] as const),
]

/** The seller details of a user. Null if they have entered none. */
export async function own(db: Database, userId: Id): Promise<SellerDetails | null> {
  const row = await db
    .selectFrom('seller_details')
    .select(columns)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/** As `own`, with the time when it was said. */
export async function collect(
  db: Database,
  userId: Id,
): Promise<(SellerDetails & { confirmed_at: Date }) | null> {
  const row = await db
    .selectFrom('seller_details')
    .select([...columns, 'confirmed_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/** Saves the seller details of a user. */
export async function save(db: Database, userId: Id, details: SellerDetails): Promise<void> {
  await db
    .insertInto('seller_details')
    .values({ user_id: userId, ...details })
    .onConflict(conflict =>
      conflict.column('user_id').doUpdateSet({ ...details, confirmed_at: sql<Date>`now()` }),
    )
    .execute()
}

/** The seller details of a maker. Null if they have entered none. @throws Problem 404 unknown or suspended */
export async function findByUsername(db: Database, username: string): Promise<SellerDetails | null> {
  const maker = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userNamed(username))
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
  if (!maker) throw new Problem(404, 'There is no such maker')
  return own(db, maker.id)
}
