import { type RawBuilder, sql } from 'kysely'
import { isOnItsWay } from '#orders/running.ts'
import type { SaleFilter } from './contract.ts'

const isReady = sql`o.pickup_place is not null and exists (
  select from order_events as e where e.order_id = o.id and e.kind = 'ready'
    and not exists (select from order_events as u where u.about = e.id and u.kind = 'undone')
)`
/** The beginning of this day in UTC. */
const today = sql<Date>`date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'`
/** SQL: `o`, a row of orders, is open and later than promised. */
export const isLate = sql`o.is_open and o.ready_by < ${today} and not (${isReady})`
const difference = sql`o.total_cents - o.cancelled_cents - o.paid_cents + o.refunded_cents`
/** SQL: what is not paid of `o`, integer cents; negative if the maker owes. As `open` of OrderDetail. */
export const balance = sql<number>`case when o.paid_cents < o.total_cents - o.cancelled_cents then ${difference}
  else least(${difference}, 0) end`
/** SQL: `o` is open, or money is owed. The first condition is that of the index orders_seller_running. */
export const isUnsettled = sql`(o.is_open or ${difference} <> 0) and (o.is_open or ${balance} <> 0)`

/** SQL about `o`, a row of orders, and in which part of the list such orders are. */
export const filters: Record<SaleFilter, { where: RawBuilder<unknown>; open?: boolean }> = {
  open: { where: sql`true`, open: true },
  late: { where: isLate, open: true },
  ready: { where: isReady, open: true },
  sent: { where: sql`o.status = 'Sent' and ${isOnItsWay}`, open: false },
  received: { where: sql`o.status = 'Sent' and not ${isOnItsWay}`, open: false },
  cancelled: { where: sql`o.status = 'Cancelled'`, open: false },
  unpaid: { where: sql`${isUnsettled} and ${balance} > 0` },
}
