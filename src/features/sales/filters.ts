import { type RawBuilder, sql } from 'kysely'
import { RECEIVED_AFTER_DAYS } from '#orders/detail-contract.ts'
import type { SaleFilter } from './contract.ts'

/** SQL: an event that was not undone. @param more about `e`, a row of order_events of `o` */
const happened = (more: RawBuilder<unknown>) => sql`exists (
  select from order_events as e where e.order_id = o.id and ${more}
    and not exists (select from order_events as u where u.about = e.id and u.kind = 'undone')
)`
const isReady = sql`o.pickup_place is not null and o.status <> 'Part sent' and ${happened(sql`e.kind = 'ready'`)}`
/** A parcel is with its carrier. */
const isUnderway =
  happened(sql`e.kind = 'sent' and e.created_at > now() - make_interval(days => ${RECEIVED_AFTER_DAYS})
  and not exists (select from order_events as r where r.about = e.id and r.kind = 'received')`)
/** The beginning of this day in UTC. */
const today = sql<Date>`date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'`
/** SQL: `o`, a row of orders, is open and later than promised. */
export const isLate = sql`o.is_open and o.ready_by < ${today} and not (${isReady})`
/** What is not paid, integer cents. */
const balance = sql`o.total_cents - o.cancelled_cents - o.paid_cents + o.refunded_cents`
/** SQL: `o` is open, or money is owed. As in the index orders_seller_running. */
export const isUnsettled = sql`(o.is_open or ${balance} <> 0)`

/** SQL about `o`, a row of orders, and in which part of the list such orders are. */
export const filters: Record<SaleFilter, { where: RawBuilder<unknown>; open?: boolean }> = {
  open: { where: sql`true`, open: true },
  late: { where: isLate, open: true },
  ready: { where: isReady, open: true },
  sent: { where: sql`o.status = 'Sent' and ${isUnderway}`, open: false },
  received: { where: sql`o.status = 'Sent' and not ${isUnderway}`, open: false },
  cancelled: { where: sql`o.status = 'Cancelled'`, open: false },
  unpaid: { where: sql`${isUnsettled} and ${balance} > 0` },
}
