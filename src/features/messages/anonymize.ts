import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/** Nothing is left to read. */
const EMPTIED = { text: '', key: null, read_at: sql<Date>`coalesce(read_at, now())` }

/**
 * After the orders of a deleted user belong to a row without a name: empties what they wrote. What the other side wrote stays for
 * the other side. So do conversations without an order, until both sides have left.
 */
export async function anonymize(db: Database, userId: Id, placeholder: Id): Promise<void> {
  await db
    .updateTable('order_messages as m')
    .from('orders as o')
    .set(EMPTIED)
    .whereRef('o.id', '=', 'm.order_id')
    .where(eb =>
      eb.or([
        eb.and([eb('m.role', '=', 'shopper'), eb('o.user_id', '=', placeholder)]),
        eb.and([eb('m.role', '=', 'maker'), eb('o.seller_id', '=', placeholder)]),
      ]),
    )
    .execute()
  for (const side of ['shopper_id', 'maker_id'] as const)
    await db
      .updateTable('conversations')
      .set({ [side]: placeholder })
      .where(side, '=', userId)
      .execute()
  await db
    .updateTable('conversation_messages as m')
    .from('conversations as c')
    .set(EMPTIED)
    .whereRef('c.id', '=', 'm.conversation_id')
    .where(eb =>
      eb.or([
        eb.and([eb('m.role', '=', 'shopper'), eb('c.shopper_id', '=', placeholder)]),
        eb.and([eb('m.role', '=', 'maker'), eb('c.maker_id', '=', placeholder)]),
      ]),
    )
    .execute()
  const erased = (side: 'c.shopper_id' | 'c.maker_id') =>
    sql<boolean>`exists (select from users where id = ${sql.ref(side)} and erased_at is not null)`
  await db
    .deleteFrom('conversations as c')
    .where(eb => eb.or([eb('c.shopper_id', '=', placeholder), eb('c.maker_id', '=', placeholder)]))
    .where(erased('c.shopper_id'))
    .where(erased('c.maker_id'))
    .execute()
}
