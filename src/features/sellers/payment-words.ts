import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'

/** How to pay, in a seller's words; '' if they have said nothing. */
export async function find(db: Database, userId: Id): Promise<string> {
  const shop = await db
    .selectFrom('shops')
    .select('payment_words')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return shop?.payment_words ?? ''
}

/** Replaces them. */
export async function set(db: Database, userId: Id, payment_words: string): Promise<void> {
  // A transaction is tried again after a deadlock, as with a change of the shop in another tab.
  await transaction(db, db =>
    db
      .insertInto('shops')
      .values({ user_id: userId, payment_words })
      .onConflict(conflict => conflict.column('user_id').doUpdateSet({ payment_words }))
      .execute(),
  )
}
