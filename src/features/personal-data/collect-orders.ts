import { type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Id } from '#contract'
import { fromCents } from '#money'
import type { Database } from '#platform/database/database.ts'
import { PAGE_SIZE, pages } from './pages.ts'

/** Where a cart is sent, and what was chosen for the pieces of each seller. */
export async function delivery(db: Database, id: Id) {
  const cart = await db.selectFrom('carts').select('address_id').where('user_id', '=', id).executeTakeFirst()
  return {
    address_id: cart?.address_id ?? null,
    choices: await db
      .selectFrom('cart_choices')
      .select(['seller_id', 'pickup_id', 'note'])
      .where('user_id', '=', id)
      .orderBy('seller_id')
      .execute(),
  }
}

/** Postage profiles with their rates and pick-up places. */
export async function postage(db: Database, id: Id) {
  const rows = await db
    .selectFrom('postage_profiles as p')
    .select(['p.id', 'p.name', 'p.version', 'p.from_country', 'p.is_default', 'p.created_at'])
    .select(eb => [
      jsonArrayFrom(
        eb
          .selectFrom('postage_rates as r')
          .select(['r.id', 'r.destination', 'r.first_cents', 'r.further_cents', 'r.days_min', 'r.days_max'])
          .whereRef('r.profile_id', '=', 'p.id')
          .orderBy('r.id'),
      ).as('rates'),
      jsonArrayFrom(
        eb
          .selectFrom('pickup_places as k')
          .select(['k.id', 'k.place', 'k.hours'])
          .whereRef('k.profile_id', '=', 'p.id')
          .orderBy('k.id'),
      ).as('pickup_places'),
    ])
    .where('p.seller_id', '=', id)
    .orderBy('p.id')
    .execute()
  return rows.map(({ rates, ...row }) => ({
    ...row,
    rates: rates.map(({ first_cents, further_cents, ...rate }) => ({
      ...rate,
      first: fromCents(first_cents),
      further: fromCents(further_cents),
    })),
  }))
}

interface Event {
  id: Id
  kind: string
  about: Id | null
  role: string
  reason: string
  carrier: string | null
  tracking: string | null
  cents: number | null
  happened_on: string | null
  created_at: string
  pieces: { product_id: Id; line: number; units: number }[]
}
const amounts = (events: Event[]) =>
  events.map(({ cents, ...event }) => ({ ...event, amount: cents === null ? null : fromCents(cents) }))

/** What happened to the order `o`, oldest first. `condition` is about the event `e`. */
const events = (condition: RawBuilder<unknown>) => sql<Event[]>`(
  select coalesce(json_agg(json_build_object('id', e.id, 'kind', e.kind, 'about', e.about, 'role', e.role, 'reason', e.reason,
    'carrier', e.carrier, 'tracking', e.tracking, 'cents', e.cents, 'happened_on', e.happened_on, 'created_at', e.created_at,
    'pieces', (
      select coalesce(json_agg(json_build_object('product_id', product_id, 'line', line, 'units', units)
        order by product_id, line), '[]')
      from order_event_units where event_id = e.id
    )) order by e.id), '[]')
  from order_events as e where e.order_id = o.id and ${condition}
)`
interface Message {
  id: Id
  role: string
  text: string
  created_at: string
  read_at: string | null
}
const messages = (condition: RawBuilder<unknown>) => sql<Message[]>`(
  select coalesce(json_agg(json_build_object('id', m.id, 'role', m.role, 'text', m.text, 'created_at', m.created_at,
    'read_at', m.read_at) order by m.id), '[]')
  from order_messages as m where m.order_id = o.id and ${condition}
)`

/** Orders with all that their shopper sees of them, cancelled ones too. */
export const orders = (db: Database, id: Id) =>
  pages(
    after => ordersAfter(db, id, after),
    ({ id }) => id,
  )

async function ordersAfter(db: Database, id: Id, after: Id) {
  const rows = await db
    .selectFrom('orders as o')
    .select([
      'o.id',
      'o.purchase_id',
      'o.status',
      'o.is_open',
      'o.total_cents',
      'o.created_at',
      'o.cancelled_at',
    ])
    .select([
      'o.postage_cents',
      'o.postage_name',
      'o.days_min',
      'o.days_max',
      'o.ready_by',
      'o.idempotency_key',
    ])
    .select(['o.pickup_place', 'o.pickup_hours', 'o.pickup_code', 'o.note'])
    .select(eb => [
      jsonObjectFrom(
        eb
          .selectFrom('order_addresses as a')
          .select(['a.name', 'a.line1', 'a.line2', 'a.city', 'a.region', 'a.postal_code', 'a.country'])
          .whereRef('a.order_id', '=', 'o.id'),
      ).as('address'),
      jsonArrayFrom(
        eb
          .selectFrom('order_lines as l')
          .select([
            'l.product_id',
            'l.variant_id',
            'l.line',
            'l.name',
            'l.answers',
            'l.price_cents',
            'l.quantity',
          ])
          .select(['l.sent', 'l.cancelled'])
          .whereRef('l.order_id', '=', 'o.id')
          .orderBy('l.product_id')
          .orderBy('l.line'),
      ).as('lines'),
    ])
    .select([events(sql`true`).as('events'), messages(sql`true`).as('messages')])
    .where('o.user_id', '=', id)
    .where('o.id', '>', after)
    .orderBy('o.id')
    .limit(PAGE_SIZE)
    .execute()
  return rows.map(({ total_cents, postage_cents, lines, events, ...row }) => ({
    ...row,
    total: fromCents(total_cents),
    postage: fromCents(postage_cents),
    lines: lines.map(({ price_cents, ...line }) => ({ ...line, price: fromCents(price_cents) })),
    events: amounts(events),
  }))
}

/**
 * The orders of a maker, for the data export: what the maker recorded and wrote. The shopper's name, address and
 * texts are data of the shopper.
 */
export const sales = (db: Database, id: Id) =>
  pages(
    after => salesAfter(db, id, after),
    ({ id }) => id,
  )

async function salesAfter(db: Database, id: Id, after: Id) {
  const own = sql`role = 'maker'`
  const rows = await db
    .selectFrom('orders as o')
    .select(['o.id', 'o.status', 'o.created_at', 'o.postage_cents', 'o.pickup_place', 'o.pickup_hours'])
    .select([events(own).as('events'), messages(own).as('messages')])
    .where('o.seller_id', '=', id)
    .where('o.id', '>', after)
    .orderBy('o.id')
    .limit(PAGE_SIZE)
    .execute()
  return rows.map(({ postage_cents, events, ...row }) => ({
    ...row,
    postage: fromCents(postage_cents),
    events: amounts(events),
  }))
}

/** Their pieces in orders. Who ordered is the shopper's data. */
export const sold = (db: Database, id: Id) =>
  pages(
    async after => {
      const rows = await db
        .selectFrom('order_lines as l')
        .innerJoin('orders as o', 'o.id', 'l.order_id')
        .select(['l.order_id', 'o.status', 'o.created_at'])
        .select(['l.product_id', 'l.name', 'l.price_cents', 'l.quantity'])
        .where('o.id', 'in', eb =>
          eb
            .selectFrom('orders')
            .select('id')
            .where('seller_id', '=', id)
            .where('id', '>', after)
            .orderBy('id')
            .limit(PAGE_SIZE),
        )
        .orderBy('l.order_id')
        .orderBy('l.product_id')
        .execute()
      return rows.map(({ price_cents, ...row }) => ({ ...row, price: fromCents(price_cents) }))
    },
    row => row.order_id,
  )
