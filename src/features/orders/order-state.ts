import type { Id } from '#contract'
import { fromCents } from '#money'
import type { Answer } from '#products/questions-contract.ts'
import { trackingUrl } from './carriers-contract.ts'
import {
  AFTER_EXPECTED_DAYS,
  type DeliveryState,
  type OrderDetail,
  type Parcel,
  RECEIVED_AFTER_DAYS,
  type Role,
  UNDO_MINUTES,
} from './detail-contract.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MINUTE_MS = 60 * 1000

/** A line of an order: `id` is the listing's, `line` its number among the lines of that listing. */
export interface Line {
  id: Id
  line: number
  answers: Answer[]
  name: string
  price_cents: number
  quantity: number
  sent: number
  cancelled: number
  image_url: string | null
  gone: boolean
}
/** A row of order_events with its pieces; `created_at` is ISO 8601. */
export interface Event {
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
  units: { id: Id; line: number; quantity: number }[]
}
/** Events that were not undone. */
export function withoutUndone(events: Event[]): Event[] {
  const undone = new Set(events.filter(({ kind }) => kind === 'undone').map(({ about }) => about))
  return events.filter(({ id, kind }) => kind !== 'undone' && !undone.has(id))
}

const undoUntil = (created_at: string, now: number): string | null => {
  const end = new Date(created_at).getTime() + UNDO_MINUTES * MINUTE_MS
  return end > now ? new Date(end).toISOString() : null
}

/** Parcels that were not undone, oldest first. @param now milliseconds since 1970 */
export function parcelsOf(
  events: Event[],
  named: (units: Event['units']) => Parcel['lines'],
  { now, days_max }: { now: number; days_max: number | null },
): Parcel[] {
  const days = Math.max(RECEIVED_AFTER_DAYS, (days_max ?? 0) + AFTER_EXPECTED_DAYS)
  const about = (id: Id, kind: string) => events.filter(event => event.about === id && event.kind === kind)
  return events.flatMap(({ id, kind, created_at, carrier, tracking, units }) => {
    if (kind !== 'sent' && kind !== 'collected') return []
    const tracked = about(id, 'tracked')
    const by = (tracked.findLast(said => said.carrier !== null)?.carrier ?? carrier) || null
    const number = tracked.at(-1)?.tracking ?? tracking
    const sent = new Date(created_at)
    const received = about(id, 'received').at(-1)
    const byTime = sent.getTime() + days * DAY_MS
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

/** Where an order is; see DeliveryState. */
export function stateOf(
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
    if (isPickup && isReady) return 'ready'
    return sent > 0 ? 'part-sent' : 'open'
  }
  if (parcels.some(parcel => parcel.received_at === null)) return 'sent'
  return parcels.every(({ kind }) => kind === 'collected') ? 'collected' : 'received'
}

/** The event that said an order is ready, while it can be undone. @param now milliseconds since 1970 */
export function readyUndo(
  event: Event | undefined,
  state: DeliveryState,
  now: number,
): OrderDetail['ready_undo'] {
  const until = event && state === 'ready' ? undoUntil(event.created_at, now) : null
  return event && until ? { id: event.id, until } : null
}

/** Sums of the payments that stand. @param postageCents integer cents @param now milliseconds since 1970 */
export function paymentOf(
  postageCents: number,
  lines: Line[],
  events: Event[],
  now: number,
): OrderDetail['payment'] {
  const left = lines.reduce((sum, line) => sum + line.price_cents * (line.quantity - line.cancelled), 0)
  const due = left === 0 ? 0 : left + postageCents
  const entries = events.flatMap(({ id, kind, cents, happened_on, reason, created_at }) =>
    (kind === 'paid' || kind === 'refunded') && cents !== null && happened_on !== null
      ? [{ id, kind, cents, day: happened_on, note: reason, undo_until: undoUntil(created_at, now) } as const]
      : [],
  )
  const sum = (wanted: string) =>
    entries.filter(({ kind }) => kind === wanted).reduce((all, { cents }) => all + cents, 0)
  const [paid, refunded] = [sum('paid'), sum('refunded')]
  const balance = due - paid + refunded
  return {
    due: fromCents(due),
    paid: fromCents(paid),
    refunded: fromCents(refunded),
    open: fromCents(paid < due ? balance : Math.min(balance, 0)),
    entries: entries.map(({ cents, ...entry }) => ({ ...entry, amount: fromCents(cents) })),
  }
}
