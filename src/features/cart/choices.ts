import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/** What a shopper chooses for the pieces of one seller. What is missing stays as it is. */
interface Choice {
  /** null: by post, where that is possible. */
  pickup_id?: Id | null
  note?: string
}

/** Records what is chosen for the pieces of a seller in a locked cart. */
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

/** Deletes what was chosen for the sellers of a cart, once it is ordered: part of a larger statement. */
export const forgettingChoices = (userId: Id): RawBuilder<unknown> =>
  sql`delete from cart_choices where user_id = ${userId}`

/** Before a user is deleted: deletes what they have chosen, and what others have chosen for their pieces. */
export async function eraseChoices(db: Database, userId: Id): Promise<void> {
  await db
    .deleteFrom('cart_choices')
    .where(eb => eb.or([eb('user_id', '=', userId), eb('seller_id', '=', userId)]))
    .execute()
}
