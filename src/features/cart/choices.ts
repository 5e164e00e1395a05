import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/** The delivery choice for the pieces of one seller. Left-out fields stay unchanged. */
interface Choice {
  /** Null: by post, where that is possible. */
  pickup_id?: Id | null
  note?: string
}

/** Saves the delivery choice for a seller in a locked cart. */
export async function recordChoice(db: Database, userId: Id, sellerId: Id, choice: Choice): Promise<void> {
  await db
    .insertInto('cart_choices')
    .values({ user_id: userId, seller_id: sellerId, ...choice })
    .onConflict(row => {
      const known = row.columns(['user_id', 'seller_id'])
      return Object.keys(choice).length > 0 ? known.doUpdateSet(choice) : known.doNothing()
    })
    .execute()
}

/** SQL: deletes the delivery choices of an ordered cart, as a part of a larger statement. */
export const deletingChoices = (userId: Id): RawBuilder<unknown> =>
  sql`delete from cart_choices where user_id = ${userId}`

/** Before a user is deleted: deletes their delivery choices, and those of shoppers for their pieces. */
export async function eraseChoices(db: Database, userId: Id): Promise<void> {
  await db
    .deleteFrom('cart_choices')
    .where(eb => eb.or([eb('user_id', '=', userId), eb('seller_id', '=', userId)]))
    .execute()
}
