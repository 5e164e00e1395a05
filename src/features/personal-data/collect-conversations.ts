import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { PAGE_SIZE, pages } from './pages.ts'

/**
 * Conversations without an order, for the data export. As with orders, a shopper gets all messages, and a maker only
 * their own. The name of the other side is not exported: it is data of the other side.
 */
export const conversations = (db: Database, id: Id) =>
  pages(
    after => conversationsAfter(db, id, after),
    ({ id }) => id,
  )

async function conversationsAfter(db: Database, id: Id, after: Id) {
  const rows = await db
    .selectFrom('conversations as c')
    .select(['c.id', 'c.product_id', 'c.shopper_id', 'c.shopper_stopped_at', 'c.maker_stopped_at'])
    .select(['c.created_at', 'c.newest_at'])
    .select(eb =>
      jsonArrayFrom(
        eb
          .selectFrom('conversation_messages as m')
          .select(['m.id', 'm.role', 'm.text', 'm.created_at', 'm.read_at'])
          .whereRef('m.conversation_id', '=', 'c.id')
          .where(each => each.or([each('c.shopper_id', '=', id), each('m.role', '=', 'maker')]))
          .orderBy('m.id'),
      ).as('messages'),
    )
    .where(eb => eb.or([eb('c.shopper_id', '=', id), eb('c.maker_id', '=', id)]))
    .where('c.id', '>', after)
    .orderBy('c.id')
    .limit(PAGE_SIZE)
    .execute()
  return rows.map(({ shopper_id, shopper_stopped_at, maker_stopped_at, ...row }) => {
    const isShopper = shopper_id === id
    return {
      ...row,
      role: isShopper ? 'shopper' : 'maker',
      stopped_at: isShopper ? shopper_stopped_at : maker_stopped_at,
    }
  })
}
