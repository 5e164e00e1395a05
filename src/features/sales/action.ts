import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Id } from '#contract'
import { lockOrder } from '#orders/events.ts'
import { NO_ORDER } from '#orders/lists.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { queueLetters } from '#platform/mail/outbox.ts'
import { Problem } from '#problem'
import type { Lines } from './input-contract.ts'

/** An action of a maker on an order. */
export interface Attempt {
  maker: Id
  order: Id
  /** Idempotency key. */
  key: string | undefined
}
/** The event that an action records. A retry is compared with the event that has the same idempotency key. */
interface Recorded {
  kind: 'sent' | 'ready' | 'collected' | 'tracked' | 'undone' | 'cancelled' | 'paid' | 'refunded'
  about?: Id
  /** Integer cents. */
  cents?: number
  /** The pieces, where they are named. */
  lines?: Lines
  carrier?: string | undefined
  tracking?: string | undefined
  /** Day of a payment. */
  happened_on?: string
  reason?: string
}
export type LockedOrder = NonNullable<Awaited<ReturnType<typeof lockOrder>>>

/** Most events of one order: each reader of the order loads all of them. */
const MAX_EVENTS = 500
const FULL = 'This order has so many entries that no more can be added'
const TAKEN_BACK = 'What this form did was taken back. Please load the page again'
const USED_KEY = 'This form was sent before, for something else. Please load the page again'

/**
 * Runs an action on a maker's order and locks it until the commit: concurrent actions run one after the other. A
 * repeated idempotency key changes nothing.
 * @throws Problem 404 unknown or someone else's, 409 for more than MAX_EVENTS, 422 if the key was used for another
 * action, or for one that is undone
 */
export function act(
  db: Database,
  { maker, order: id, key }: Attempt,
  wanted: Recorded,
  work: (db: Database, order: LockedOrder) => Promise<void>,
): Promise<void> {
  return transaction(db, async db => {
    const order = await lockOrder(db, id)
    if (order?.seller_id !== maker) throw new Problem(404, NO_ORDER)
    const known = key === undefined ? undefined : await recordedWith(db, id, key)
    if (known?.is_undone) throw new Problem(422, TAKEN_BACK)
    if (known && !isSame(known, wanted)) throw new Problem(422, USED_KEY)
    if (known) return
    if ((await countEvents(db, id)) >= MAX_EVENTS) throw new Problem(409, FULL)
    await work(db, order)
  })
}

async function countEvents(db: Database, order: Id): Promise<number> {
  const { count } = await db
    .selectFrom('order_events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('order_id', '=', order)
    .executeTakeFirstOrThrow()
  return count
}

/** The event with this idempotency key. */
function recordedWith(db: Database, order: Id, key: string) {
  return db
    .selectFrom('order_events as e')
    .select([
      'e.kind',
      'e.about',
      'e.cents',
      'e.role',
      'e.carrier',
      'e.tracking',
      'e.happened_on',
      'e.reason',
    ])
    .select(eb =>
      jsonArrayFrom(
        eb
          .selectFrom('order_event_units as u')
          .select(['u.product_id as id', 'u.line', 'u.units as quantity'])
          .whereRef('u.event_id', '=', 'e.id')
          .orderBy('u.product_id')
          .orderBy('u.line'),
      ).as('lines'),
    )
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('order_events as undo')
          .select('undo.id')
          .whereRef('undo.about', '=', 'e.id')
          .where('undo.kind', '=', 'undone'),
      ).as('is_undone'),
    )
    .where('e.order_id', '=', order)
    .where('e.key', '=', key)
    .executeTakeFirst()
}

function isSame(
  known: NonNullable<Awaited<ReturnType<typeof recordedWith>>>,
  { kind, about, cents, lines, carrier, tracking, happened_on, reason }: Recorded,
): boolean {
  const unitsOf = (all: NonNullable<Lines>) =>
    all
      .map(({ id, line = 1, quantity }) => `${id}.${line}x${quantity}`)
      .sort()
      .join()
  return (
    known.role === 'maker' &&
    known.kind === kind &&
    (known.about ?? undefined) === about &&
    (known.cents ?? undefined) === cents &&
    (known.carrier ?? '') === (carrier ?? '') &&
    (known.tracking ?? '') === (tracking ?? '') &&
    (known.happened_on ?? undefined) === happened_on &&
    known.reason === (reason ?? '') &&
    (!lines || unitsOf(lines) === unitsOf(known.lines))
  )
}

/**
 * Queues a letter about an event for the shopper, unless the shopper is the maker.
 * @param delay minutes until it is sent: UNDO_MINUTES if the event can be undone, since an undone one has no letter
 */
export async function queueEventLetter(
  db: Database,
  order: LockedOrder,
  kind: string,
  event: Id,
  delay = 0,
): Promise<void> {
  if (order.user_id === order.seller_id) return
  await queueLetters(db, [{ kind, subject: event, recipient: order.user_id, notify: true }], delay)
}
