import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/**
 * After the orders of a deleted user belong to a row without a name: empties what they wrote. What the other side wrote stays for
 * the other side.
 */
export async function handOver(db: Database, placeholder: Id): Promise<void> {
  await db
    .updateTable('order_messages as m')
    .from('orders as o')
    // Nothing is left to read.
    .set({ text: '', key: null, read_at: sql`coalesce(read_at, now())` })
    .whereRef('o.id', '=', 'm.order_id')
    .where(eb =>
      eb.or([
        eb.and([eb('m.role', '=', 'shopper'), eb('o.user_id', '=', placeholder)]),
        eb.and([eb('m.role', '=', 'maker'), eb('o.seller_id', '=', placeholder)]),
      ]),
    )
    .execute()
}
