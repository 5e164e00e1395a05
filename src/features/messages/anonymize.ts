import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/** An emptied message: no text, and read. */
const EMPTIED = { text: '', key: null, read_at: sql<Date>`coalesce(read_at, now())` }

/**
 * Empties the messages of a deleted user, and moves their conversations to the placeholder account, which must have
 * their orders already. The other side keeps its own messages. A conversation is deleted once both sides have left.
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
