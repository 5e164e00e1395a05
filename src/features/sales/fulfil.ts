import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import { UNDO_MINUTES } from '#orders/detail-contract.ts'
import { cancelUnits, type LineUnits, record } from '#orders/events.ts'
import type { Database } from '#platform/database/database.ts'
import { violatedConstraint } from '#platform/database/database-errors.ts'
import { Problem } from '#problem'
import { type Attempt, act, queueEventLetter } from './action.ts'
import type { Cancellation, NewParcel, Tracking } from './input-contract.ts'
import { chosenUnits } from './units.ts'

/**
 * Records a parcel.
 * @param options.isPosted refuses a pickup order: a batch must not mark one as sent by mistake
 * @throws Problem 404, 422 as `act` does, 409 and 400 as `chosenUnits` does
 */
export function send(
  db: Database,
  attempt: Attempt,
  parcel: NewParcel,
  { isPosted = false } = {},
): Promise<void> {
  const { lines, carrier, tracking } = parcel
  return act(db, attempt, { kind: 'sent', lines, carrier, tracking }, async (db, order) => {
    const units = await chosenUnits(db, order.id, lines)
    if (isPosted && order.pickup_place !== null) throw new Problem(409, TO_COLLECT)
    const named = { ...(carrier ? { carrier } : {}), ...(tracking ? { tracking } : {}) }
    const event = await record(
      db,
      order.id,
      { kind: 'sent', role: 'maker', key: attempt.key, ...named },
      units,
    )
    await queueEventLetter(db, order, 'parcel-sent', event, UNDO_MINUTES)
  })
}

const TO_COLLECT = 'This order is to be collected. If you send it instead, say so on its page'
const UNDONE = 'This was taken back meanwhile. Please load the page again'
const NO_EVENT = 'There is no such entry in this order'

/**
 * Sets the carrier and number of a parcel. A carrier of '' is removed, undefined stays.
 * @throws Problem 404, 422 as `act` does, 404 unknown, 409 undone
 */
export function track(db: Database, attempt: Attempt, parcel: Id, { carrier, tracking }: Tracking) {
  return act(db, attempt, { kind: 'tracked', about: parcel, carrier, tracking }, async (db, order) => {
    const event = await eventOf(db, order.id, parcel)
    if (event?.kind !== 'sent') throw new Problem(404, NO_EVENT)
    if (event.undone) throw new Problem(409, UNDONE)
    const named = { tracking, ...(carrier === undefined ? {} : { carrier }) }
    const tracked = { kind: 'tracked', role: 'maker', about: parcel, key: attempt.key, ...named } as const
    const id = await record(db, order.id, tracked)
    const isNew = tracking !== event.tracking || (carrier ?? event.carrier ?? '') !== (event.carrier ?? '')
    // The letter about the parcel has not been sent yet, and says it.
    if (isNew && !event.waits) await queueEventLetter(db, order, 'tracking-added', id)
  })
}

/** Says that an order can be collected. @throws Problem 404, 422 as `act` does, 409 if it is sent, ready, or not open */
export function ready(db: Database, attempt: Attempt): Promise<void> {
  return act(db, attempt, { kind: 'ready' }, async (db, order) => {
    if (order.pickup_place === null) throw new Problem(409, 'This order is sent, not collected')
    await chosenUnits(db, order.id, undefined)
    const known = await db
      .selectFrom('order_events')
      .select('id')
      .where('order_id', '=', order.id)
      .where('kind', '=', 'ready')
      .where(
        sql<boolean>`not exists (select from order_events as e where e.about = order_events.id and e.kind = 'undone')`,
      )
      .executeTakeFirst()
    if (known) throw new Problem(409, 'This order is marked as ready already')
    const event = await record(db, order.id, { kind: 'ready', role: 'maker', key: attempt.key })
    await queueEventLetter(db, order, 'order-ready', event, UNDO_MINUTES)
  })
}

const WRONG_CODE = 'This is not the code of this order. The shopper finds it on the page of their order'

/** Records that everything open was collected. @throws Problem as `ready` does, 409 for a wrong code */
export function collect(db: Database, attempt: Attempt, code: string): Promise<void> {
  return act(db, attempt, { kind: 'collected' }, async (db, order) => {
    const { pickup_place, pickup_code } = order
    if (pickup_place === null) throw new Problem(409, 'This order is sent, not collected')
    const units = await chosenUnits(db, order.id, undefined)
    // A deleted account has no code any more.
    if (pickup_code !== null && code !== pickup_code) throw new Problem(409, WRONG_CODE)
    await record(db, order.id, { kind: 'collected', role: 'maker', key: attempt.key }, units)
  })
}

/** Cancels open pieces: their stock is given back once, and the shopper reads why. @throws Problem as `send` does */
export function cancel(db: Database, attempt: Attempt, { lines, reason }: Cancellation): Promise<void> {
  return act(db, attempt, { kind: 'cancelled', lines, reason }, async (db, order) => {
    const units = await chosenUnits(db, order.id, lines)
    const event = await cancelUnits(db, order.id, units, { role: 'maker', reason, key: attempt.key })
    await queueEventLetter(db, order, 'cancelled-by-maker', event)
  })
}

const UNDOABLE = ['sent', 'ready', 'collected', 'paid', 'refunded']
export const REFUNDED = 'More cannot be refunded than was paid'

/**
 * Undoes an event of the last few minutes, before the shopper gets its letter. Its pieces are open again.
 * @throws Problem 404, 422 as `act` does, 404 unknown, 409 if it is too late, undone, received, or a payment that was
 * refunded
 */
export async function undo(db: Database, attempt: Attempt, about: Id): Promise<void> {
  try {
    await act(db, attempt, { kind: 'undone', about }, async (db, order) => {
      const event = await eventOf(db, order.id, about)
      if (!event || !UNDOABLE.includes(event.kind)) throw new Problem(404, NO_EVENT)
      if (event.undone) throw new Problem(409, UNDONE)
      if (event.received) throw new Problem(409, 'The shopper has received this already')
      if (!event.recent) throw new Problem(409, `This can be undone for ${UNDO_MINUTES} minutes only`)
      const { units } = event
      await record(db, order.id, { kind: 'undone', role: 'maker', about, key: attempt.key }, units)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'orders_refunded') throw new Problem(409, REFUNDED, { cause: error })
    throw error
  }
}

interface Event {
  kind: string
  recent: boolean
  /** Whether its letter is due in more than a minute. */
  waits: boolean
  undone: boolean
  received: boolean
  /** The present tracking number and carrier of a parcel. */
  tracking: string | null
  carrier: string | null
  units: LineUnits[]
}

/**
 * SQL: the latest corrected carrier or tracking number of a parcel. Null without a correction.
 * @param parcel id of its event. Default: that of `e`
 */
export const lastSaid = (about: 'carrier' | 'tracking', parcel: RawBuilder<unknown> = sql`e.id`) => sql<
  string | null
>`(
  select ${sql.ref(about)} from order_events
  where about = ${parcel} and kind = 'tracked' and ${sql.ref(about)} is not null order by id desc limit 1
)`

/** An event of an order, with what happened to it since. */
async function eventOf(db: Database, order: Id, id: Id): Promise<Event | undefined> {
  const { rows } = await sql<Event>`
    select e.kind, e.created_at > now() - make_interval(mins => ${UNDO_MINUTES}) as recent,
      e.created_at > now() - make_interval(mins => ${UNDO_MINUTES - 1}) as waits,
      exists (select from order_events where about = e.id and kind = 'undone') as undone,
      exists (select from order_events where about = e.id and kind = 'received') as received,
      coalesce(${lastSaid('tracking')}, e.tracking) as tracking, coalesce(${lastSaid('carrier')}, e.carrier) as carrier,
      (
        select coalesce(json_agg(json_build_object('product_id', product_id, 'line', line, 'quantity', units)
          order by product_id, line), '[]')
        from order_event_units where event_id = e.id
      ) as units
    from order_events as e
    where e.id = ${id}::bigint and e.order_id = ${order}
  `.execute(db)
  return rows[0]
}
