import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { RUNNING_DAYS } from './contract.ts'

/** Orders that are named. */
const NAMED = 20

/** A pending order of the last RUNNING_DAYS. */
export interface RunningOrder {
  id: Id
  /** Whether the user has ordered it, or made some of it. */
  role: 'shopper' | 'maker'
  created_at: Date
  /** What was ordered; for a maker only their own pieces. */
  pieces: { id: Id; name: string; quantity: number }[]
}

/** Running orders that a user has placed, or that hold their listings; newest first, at most 20. */
export async function running(db: Database, userId: Id): Promise<RunningOrder[]> {
  const { rows } = await sql<RunningOrder>`
    select o.id, case when o.user_id = ${userId} then 'shopper' else 'maker' end as role, o.created_at, l.pieces
    from (
      select id from orders where user_id = ${userId} and ${isRunning(sql`orders`)}
      union
      select placed.id from products as p
        join order_lines as l on l.product_id = p.id
        join orders as placed on placed.id = l.order_id
        where p.seller_id = ${userId} and ${isRunning(sql`placed`)}
    ) as found
    join orders as o on o.id = found.id
    cross join lateral (
      select json_agg(json_build_object('id', l.product_id, 'name', l.name, 'quantity', l.quantity) order by l.product_id) as pieces
      from order_lines as l join products as p on p.id = l.product_id
      where l.order_id = o.id and (o.user_id = ${userId} or p.seller_id = ${userId})
    ) as l
    order by o.created_at desc, o.id desc
    limit ${NAMED}
  `.execute(db)
  return rows
}

const isRunning = (order: ReturnType<typeof sql>) => sql`
  ${order}.status = 'Pending' and ${order}.created_at > now() - make_interval(days => ${RUNNING_DAYS})`

/** Before a user is deleted: their orders belong to a row without a name. Numbers, pieces and prices stay as they are. */
export async function handOver(db: Database, userId: Id, placeholder: Id): Promise<void> {
  await db
    .updateTable('orders')
    .set({ user_id: placeholder, idempotency_key: null })
    .where('user_id', '=', userId)
    .execute()
}
