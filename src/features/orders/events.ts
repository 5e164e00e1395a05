import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { returnStock, type Units } from '#products/stock.ts'
import type { Role } from './detail-contract.ts'

/** Something that happened to an order, as it is recorded. */
interface Happened {
  kind: 'sent' | 'ready' | 'collected' | 'tracked' | 'received' | 'undone' | 'cancelled' | 'paid' | 'refunded'
  role: Role
  /** Why, in the words of its person. */
  reason?: string
  /** Id of the event that this one is about. */
  about?: Id
  carrier?: string
  tracking?: string
  /** Of a payment or refund, integer cents. */
  cents?: number
  /** Day of a payment or refund, '2026-03-31'. */
  happened_on?: string
  /** Idempotency key. */
  key?: string | undefined
}

/** Locks an order until the transaction ends. Everything that happens to an order locks it first. */
export function lockOrder(db: Database, id: Id) {
  return db
    .selectFrom('orders')
    .select(['id', 'user_id', 'seller_id', 'status', 'pickup_place', 'pickup_code'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Units of a line of an order. */
export interface LineUnits extends Units {
  /** Its number among the lines of the listing. Missing: 1. */
  line?: number
}

/** What is neither sent nor cancelled, by ascending product id and line. */
export function openUnits(db: Database, id: Id): Promise<LineUnits[]> {
  const open = sql<number>`quantity - sent - cancelled`
  return db
    .selectFrom('order_lines')
    .select(['product_id', 'variant_id', 'line', open.as('quantity')])
    .where('order_id', '=', id)
    .where(open, '>', 0)
    .orderBy('product_id')
    .orderBy('line')
    .execute()
}

/**
 * Records an event of a locked order with its pieces. A trigger sums the pieces up in `order_lines`.
 * @returns id of the event
 */
export async function record(db: Database, order: Id, event: Happened, units: LineUnits[] = []): Promise<Id> {
  const { kind, role, reason = '', about, carrier, tracking, cents, happened_on, key } = event
  const column = <K extends 'product_id' | 'quantity'>(name: K) => units.map(line => line[name])
  const { rows } = await sql<{ id: Id }>`
    insert into order_events (order_id, kind, role, reason, about, carrier, tracking, cents, happened_on, key)
    values (${order}, ${kind}, ${role}, ${reason}, ${about ?? null}, ${carrier ?? null}, ${tracking ?? null},
      ${cents ?? null}, ${happened_on ?? null}::date, ${key ?? null})
    returning id
  `.execute(db)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('insert into order_events returned no row')
  // A statement of its own: the trigger reads the event.
  if (units.length > 0)
    await sql`
      insert into order_event_units (event_id, order_id, product_id, line, units)
      select ${id}, ${order}, product_id, line, units
      from unnest(${column('product_id')}::bigint[], ${units.map(({ line = 1 }) => line)}::int[], ${column('quantity')}::int[])
        as piece (product_id, line, units)
    `.execute(db)
  return id
}

/** Cancels open pieces of a locked order, and gives their stock back. */
export async function cancelUnits(
  db: Database,
  order: Id,
  units: LineUnits[],
  why: Pick<Happened, 'role' | 'reason' | 'key'>,
): Promise<Id> {
  const event_id = await record(db, order, { ...why, kind: 'cancelled' }, units)
  await returnStock(db, units, { order_id: order, event_id })
  return event_id
}
