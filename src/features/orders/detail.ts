import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import { fromCents } from '#money'
import type { Database } from '#platform/database/database.ts'
import { trackingUrl } from './carriers-contract.ts'
import {
  type DeliveryState,
  type OrderDetail,
  type Parcel,
  RECEIVED_AFTER_DAYS,
  type Role,
  UNDO_MINUTES,
} from './detail-contract.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MINUTE_MS = 60 * 1000

interface Line {
  id: Id
  name: string
  price_cents: number
  quantity: number
  sent: number
  cancelled: number
}
interface Event {
  id: Id
  kind: string
  about: Id | null
  role: Role
  reason: string
  carrier: string | null
  tracking: string | null
  cents: number | null
  happened_on: string | null
  created_at: string
  units: { id: Id; quantity: number }[]
}
interface Row {
  id: Id
  purchase_id: Id | null
  created_at: Date
  user_id: Id
  seller_id: Id | null
  maker: string | null
  postage_cents: number
  postage_name: string
  total_cents: number
  days_min: number | null
  days_max: number | null
  ready_by: Date | null
  pickup_place: string | null
  pickup_hours: string | null
  pickup_code: string | null
  note: string
  address: OrderDetail['address']
  lines: Line[]
  events: Event[]
}

/** An order with ids of its shopper and its maker, who must not read everything. */
export interface Detail {
  order: OrderDetail
  shopper_id: Id
  seller_id: Id | null
}

/** Orders with everything that happened to them, newest first. @param where SQL about `o`, a row of orders */
export async function details(db: Database, where: RawBuilder<unknown>, limit = 100): Promise<Detail[]> {
  const { rows } = await sql<Row>`
    select o.*, u.username as maker, a.address, l.lines, coalesce(e.events, '[]') as events
    from (select * from orders as o where ${where} order by o.created_at desc, o.id desc limit ${limit}) as o
    left join users as u on u.id = o.seller_id and u.erased_at is null
    left join lateral (
      select to_jsonb(a) - 'order_id' as address from order_addresses as a where a.order_id = o.id
    ) as a on true
    cross join lateral (
      select json_agg(json_build_object('id', product_id, 'name', name, 'price_cents', price_cents, 'quantity', quantity,
        'sent', sent, 'cancelled', cancelled) order by product_id) as lines
      from order_lines where order_id = o.id
    ) as l
    cross join lateral (
      select json_agg(json_build_object('id', e.id, 'kind', e.kind, 'about', e.about, 'role', e.role, 'reason', e.reason,
        'carrier', e.carrier, 'tracking', e.tracking, 'cents', e.cents, 'happened_on', e.happened_on,
        'created_at', e.created_at, 'units', u.units) order by e.id) as events
      from order_events as e cross join lateral (
        select coalesce(json_agg(json_build_object('id', product_id, 'quantity', units) order by product_id), '[]') as units
        from order_event_units where event_id = e.id
      ) as u
      where e.order_id = o.id
    ) as e
    order by o.created_at desc, o.id desc
  `.execute(db)
  const now = Date.now()
  return rows.map(row => ({
    order: detailOf(row, now),
    shopper_id: row.user_id,
    seller_id: row.seller_id,
  }))
}

/** The order as both sides see it. @param now milliseconds since 1970 */
function detailOf(row: Row, now: number): OrderDetail {
  const lines = row.lines ?? []
  const events = standing(row.events)
  const named = (units: Event['units']) =>
    units.map(({ id, quantity }) => ({ id, name: lines.find(line => line.id === id)?.name ?? '', quantity }))
  const parcels = parcelsOf(events, named, now)
  const ready = events.findLast(({ kind }) => kind === 'ready')
  const iso = (moment: string | undefined) => (moment === undefined ? null : new Date(moment).toISOString())
  return {
    id: row.id,
    purchase_id: row.purchase_id ?? row.id,
    created_at: row.created_at.toISOString(),
    state: stateOf(lines, parcels, { isPickup: row.pickup_place !== null, isReady: ready !== undefined }),
    maker: row.seller_id !== null && row.maker !== null ? { id: row.seller_id, username: row.maker } : null,
    lines: lines.map(({ price_cents, ...line }) => ({
      ...line,
      price: fromCents(price_cents),
      open: line.quantity - line.sent - line.cancelled,
    })),
    postage: fromCents(row.postage_cents),
    postage_name: row.postage_name,
    total: fromCents(row.total_cents),
    days_min: row.days_min,
    days_max: row.days_max,
    ready_by: row.ready_by?.toISOString() ?? null,
    address: row.address,
    pickup:
      row.pickup_place === null
        ? null
        : {
            place: row.pickup_place,
            hours: row.pickup_hours ?? '',
            ...(row.pickup_code === null ? {} : { code: row.pickup_code }),
          },
    note: row.note,
    ready_at: iso(ready?.created_at),
    parcels,
    cancellations: events
      .filter(({ kind }) => kind === 'cancelled')
      .map(({ created_at, role, reason, units }) => ({
        at: iso(created_at) ?? '',
        role,
        reason,
        lines: named(units),
      })),
    payment: paymentOf(row, lines, events, now),
  }
}

/** Events that were not undone. */
function standing(events: Event[]): Event[] {
  const undone = new Set(events.filter(({ kind }) => kind === 'undone').map(({ about }) => about))
  return events.filter(({ id, kind }) => kind !== 'undone' && !undone.has(id))
}

const undoUntil = (created_at: string, now: number): string | null => {
  const end = new Date(created_at).getTime() + UNDO_MINUTES * MINUTE_MS
  return end > now ? new Date(end).toISOString() : null
}

function parcelsOf(
  events: Event[],
  named: (units: Event['units']) => Parcel['lines'],
  now: number,
): Parcel[] {
  const about = (id: Id, kind: string) => events.findLast(event => event.about === id && event.kind === kind)
  return events.flatMap(({ id, kind, created_at, carrier, tracking, units }) => {
    if (kind !== 'sent' && kind !== 'collected') return []
    const tracked = about(id, 'tracked')
    const by = tracked?.carrier ?? carrier
    const number = tracked?.tracking ?? tracking
    const sent = new Date(created_at)
    const received = about(id, 'received')
    const byTime = sent.getTime() + RECEIVED_AFTER_DAYS * DAY_MS
    const receivedAt = received
      ? new Date(received.created_at)
      : kind === 'collected'
        ? sent
        : byTime <= now
          ? new Date(byTime)
          : null
    return [
      {
        id,
        kind,
        sent_at: sent.toISOString(),
        carrier: by,
        tracking: number,
        tracking_url: trackingUrl(by, number),
        lines: named(units),
        received_at: receivedAt?.toISOString() ?? null,
        undo_until: received ? null : undoUntil(created_at, now),
      },
    ]
  })
}

function stateOf(
  lines: Line[],
  parcels: Parcel[],
  { isPickup, isReady }: { isPickup: boolean; isReady: boolean },
): DeliveryState {
  const sum = (count: (line: Line) => number) => lines.reduce((all, line) => all + count(line), 0)
  const [quantity, sent, cancelled] = [
    sum(line => line.quantity),
    sum(line => line.sent),
    sum(line => line.cancelled),
  ]
  if (cancelled === quantity) return 'cancelled'
  if (quantity > sent + cancelled) {
    if (sent > 0) return 'part-sent'
    return isPickup && isReady ? 'ready' : 'open'
  }
  if (parcels.some(parcel => parcel.received_at === null)) return 'sent'
  return parcels.every(({ kind }) => kind === 'collected') ? 'collected' : 'received'
}

/** Sums of the payments that stand. All amounts are integer cents until they leave. */
function paymentOf(row: Row, lines: Line[], events: Event[], now: number): OrderDetail['payment'] {
  const left = lines.reduce((sum, line) => sum + line.price_cents * (line.quantity - line.cancelled), 0)
  const due = left === 0 ? 0 : left + row.postage_cents
  const entries = events.flatMap(({ id, kind, cents, happened_on, reason, created_at }) =>
    (kind === 'paid' || kind === 'refunded') && cents !== null && happened_on !== null
      ? [{ id, kind, cents, day: happened_on, note: reason, undo_until: undoUntil(created_at, now) } as const]
      : [],
  )
  const sum = (wanted: string) =>
    entries.filter(({ kind }) => kind === wanted).reduce((all, { cents }) => all + cents, 0)
  const [paid, refunded] = [sum('paid'), sum('refunded')]
  return {
    due: fromCents(due),
    paid: fromCents(paid),
    refunded: fromCents(refunded),
    open: fromCents(due - paid + refunded),
    entries: entries.map(({ cents, ...entry }) => ({ ...entry, amount: fromCents(cents) })),
  }
}
