import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { MAX_RUNNING, OPEN_DAYS } from './contract.ts'
import { AFTER_EXPECTED_DAYS, RECEIVED_AFTER_DAYS } from './detail-contract.ts'
import { isGone } from './line-picture.ts'

/** An order that keeps its shopper and its maker from deleting their accounts. */
export interface RunningOrder {
  id: Id
  /** Whether the user has ordered it, or makes it. */
  role: 'shopper' | 'maker'
  /** 'open': some pieces are neither sent nor cancelled. 'sent': a parcel is on its way. */
  state: 'open' | 'sent'
  /** Some pieces are sent or cancelled: its shopper cannot cancel it any more. Missing: none are. */
  begun?: true
  created_at: Date
  /** What was ordered and is not cancelled. `gone`: its listing has no page any more. */
  pieces: { id: Id; name: string; quantity: number; gone?: true }[]
}

/** Running orders that a user has placed or makes; newest first, at most MAX_RUNNING. */
export async function running(db: Database, userId: Id): Promise<RunningOrder[]> {
  const { rows } = await sql<Omit<RunningOrder, 'begun'> & { begun: boolean }>`
    select o.id, case when o.user_id = ${userId} then 'shopper' else 'maker' end as role,
      case when ${isOpen} then 'open' else 'sent' end as state, o.status <> 'Pending' as begun, o.created_at, l.pieces
    from (
      select id from orders where user_id = ${userId} union select id from orders where seller_id = ${userId}
    ) as found
    join orders as o on o.id = found.id and (${isOpen} or ${isOnItsWay})
    cross join lateral (
      select json_strip_nulls(json_agg(
        json_build_object('id', l.product_id, 'name', l.name, 'quantity', l.quantity - l.cancelled,
          'gone', nullif(${isGone}, false))
        order by l.product_id, l.line)) as pieces
      from order_lines as l where l.order_id = o.id and l.quantity > l.cancelled
    ) as l
    order by o.created_at desc, o.id desc
    limit ${MAX_RUNNING}
  `.execute(db)
  return rows.map(({ begun, ...order }) => ({ ...order, ...(begun ? { begun } : {}) }))
}

/** SQL: the order `o` has a parcel or collection, not undone, whose event `e` meets the condition. */
const anyParcel = (condition: RawBuilder<unknown>) => sql`
  exists (
    select from order_events as e where e.order_id = o.id and e.kind in ('sent', 'collected') and ${condition}
    and not exists (select from order_events as u where u.about = e.id and u.kind = 'undone')
  )`
/** SQL: a moment of the last so many days. Of 24 hours each: `days =>` depends on the time zone of the database. */
const within = (moment: RawBuilder<unknown>, days: number | RawBuilder<number>) =>
  sql`${moment} > now() - make_interval(hours => 24 * ${days})`

/**
 * SQL: the order `o` has open pieces, and was placed or partly sent in the last OPEN_DAYS. Later it blocks no account
 * deletion.
 */
const isOpen = sql`(
  o.is_open and (${within(sql`o.created_at`, OPEN_DAYS)} or ${anyParcel(within(sql`e.created_at`, OPEN_DAYS))})
)`
/** SQL: days after which a parcel of the order `o` counts as received. `parcelsOf` says the same. */
export const receivedAfterDays = sql<number>`
  greatest(${RECEIVED_AFTER_DAYS}::int, coalesce(o.days_max, 0) + ${AFTER_EXPECTED_DAYS}::int)`
/**
 * SQL: a parcel of the order `o` is neither received, nor old enough to count as received. A collection is received
 * at once.
 */
export const isOnItsWay = anyParcel(sql`
  e.kind = 'sent' and ${within(sql`e.created_at`, receivedAfterDays)}
  and not exists (select from order_events as r where r.about = e.id and r.kind = 'received')`)

/** Replaces the pick-up place of an erased maker: not null, since it is still a pickup order. */
const ERASED = '–'

/**
 * Before a user is deleted: moves the orders that they placed or make to the placeholder account. Numbers, pieces and
 * prices stay. Addresses, answers, and the notes and reasons of the user are deleted; texts of the other side stay.
 */
export async function anonymize(db: Database, userId: Id, placeholder: Id): Promise<void> {
  await db
    .updateTable('orders')
    .set({ user_id: placeholder, idempotency_key: null, note: '', pickup_code: null })
    .where('user_id', '=', userId)
    .execute()
  await db
    .updateTable('orders')
    .set({
      seller_id: placeholder,
      pickup_place: sql`case when pickup_place is not null then ${ERASED} end`,
      pickup_hours: sql`case when pickup_hours is not null then '' end`,
    })
    .where('seller_id', '=', userId)
    .execute()
  await db
    .deleteFrom('order_addresses')
    .where('order_id', 'in', eb => eb.selectFrom('orders').select('id').where('user_id', '=', placeholder))
    .execute()
  await db
    .updateTable('order_lines')
    .set({ answers: '[]' })
    .where('answers', '<>', '[]')
    .where('order_id', 'in', eb => eb.selectFrom('orders').select('id').where('user_id', '=', placeholder))
    .execute()
  await db
    .updateTable('order_events as e')
    .from('orders as o')
    .set({ reason: '' })
    .whereRef('o.id', '=', 'e.order_id')
    .where('e.reason', '<>', '')
    .where(eb =>
      eb.or([
        eb.and([eb('e.role', '=', 'shopper'), eb('o.user_id', '=', placeholder)]),
        eb.and([eb('e.role', '=', 'maker'), eb('o.seller_id', '=', placeholder)]),
      ]),
    )
    .execute()
}
