import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/**
 * Before a user is deleted: deletes their reviews, or moves them to the placeholder account. Deletes their replies,
 * which are at listings that the placeholder account has already.
 */
export async function anonymize(
  db: Database,
  userId: Id,
  placeholder: Id,
  choice: 'keep' | 'remove',
): Promise<void> {
  await sql`
    update reviews set reply = null, replied_at = null, reply_hidden_at = null from products
    where products.id = reviews.product_id and products.seller_id = ${placeholder} and reply is not null
  `.execute(db)
  if (choice === 'keep')
    await db.updateTable('reviews').set({ user_id: placeholder }).where('user_id', '=', userId).execute()
  else await db.deleteFrom('reviews').where('user_id', '=', userId).execute()
}
