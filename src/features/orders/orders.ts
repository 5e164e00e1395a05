import { sql } from 'kysely'
import * as cart from '#cart/cart.ts'
import { deletingChoices } from '#cart/choices.ts'
import { MAX_LINES } from '#cart/contract.ts'
import {
  type Delivery,
  deliveryOf,
  isPickup,
  pickupCode,
  postageCents,
  requireDeliverable,
  type SellerDelivery,
} from '#checkout/delivery.ts'
import { deliveryDigest } from '#checkout/delivery-digest.ts'
import type { Id } from '#contract'
import { type Database, forceGenericPlans, transaction } from '#platform/database/database.ts'
import { insertLettersSql, queueLetters } from '#platform/mail/outbox.ts'
import { Problem } from '#problem'
import { lockForSale, type Sold, takingStock, type Units } from '#products/stock.ts'
import { EMPTY_CART, NOT_PENDING, type Purchase } from './contract.ts'
import { cancelUnits, lockOrder, openUnits } from './events.ts'
import { NO_ORDER, orders, purchaseOf, type Row } from './lists.ts'
import { type Expected, requireExpected, requireSamePurchase, totalOf } from './preconditions.ts'

/** `repeated`: placed before, with the same idempotency key. */
type Placed = Purchase & { repeated?: true }

/**
 * Orders the whole cart, or changes nothing: one order for each seller, all under one purchase. Locks, always in this order:
 * the cart, its lines, the listings, their stock, each by ascending id. The same idempotency key returns its first purchase.
 * @throws Problem 400 for an empty cart; 409 for too many lines, for short lines, for pieces that cannot reach the shopper, or
 * with the new total if a precondition fails; 422 for the key of a purchase with other contents
 * @param ownListings whether the user may buy their own listings; if not, 409 too
 */
export function place(
  db: Database,
  userId: Id,
  expected: Expected = {},
  ownListings = true,
): Promise<Placed> {
  return transaction(db, db => placeOrders(db, userId, expected, ownListings))
}

async function placeOrders(
  db: Database,
  userId: Id,
  expected: Expected,
  ownListings: boolean,
): Promise<Placed> {
  await cart.lock(db, userId, forceGenericPlans)
  const known = expected.key && (await placedWith(db, userId, expected.key))
  if (known) {
    requireSamePurchase(known, expected, await cart.quantities(db, userId))
    return { ...known, repeated: true }
  }
  const lines = await cart.takeLines(db, userId)
  if (lines.length === 0) throw new Problem(400, EMPTY_CART)
  if (lines.length > MAX_LINES) throw new Problem(409, TOO_LONG)
  const delivery = await deliveryOf(db, userId, lines)
  // Put into the cart while the shop allowed it.
  if (!ownListings && delivery.parts.some(part => part.seller_id === userId))
    throw new Problem(409, OWN_LISTING)
  const sold = await lockForSale(db, lines)
  requireDeliverable(delivery)
  const parts = delivery.parts.map(part => ({ ...part, lines: part.lines.map(line => soldOf(line, sold)) }))
  const postage = parts.reduce((sum, part) => sum + postageCents(part), 0)
  requireExpected({ lines: sold, postage, delivery: deliveryDigest(delivery) }, expected)
  return record(db, userId, expected.key, { ...delivery, parts })
}

function soldOf({ id }: cart.OrderedLine, sold: Sold<cart.OrderedLine>[]): Sold<cart.OrderedLine> {
  const line = sold.find(line => line.id === id)
  if (!line) throw new Error(`lockForSale returned nothing for cart line ${id}`)
  return line
}

const OWN_LISTING = 'You cannot buy your own listing; remove it from your cart first'
/** Carts of older versions may be longer. */
const TOO_LONG = `An order has at most ${MAX_LINES} different pieces; remove some from your cart first`

/** Inserts the orders with their lines, and takes their stock. Totals are sums of integer cents. */
async function record(
  db: Database,
  userId: Id,
  key: string | undefined,
  { address, parts }: Delivery<Sold<cart.OrderedLine>>,
): Promise<Purchase> {
  const column = <T>(value: (part: SellerDelivery<Sold<cart.OrderedLine>>) => T) => parts.map(value)
  const post = (part: SellerDelivery<Units>) =>
    part.chosen && !isPickup(part.chosen) ? part.chosen : undefined
  const pickup = (part: SellerDelivery<Units>) =>
    part.chosen && isPickup(part.chosen) ? part.chosen : undefined
  const lines = parts.flatMap(part => part.lines.map(line => ({ ...line, seller_id: part.seller_id })))
  const ofLines = <K extends keyof (typeof lines)[number]>(name: K) => lines.map(line => line[name])
  // One statement, to keep the stock locks short.
  const { rows } = await sql<Omit<Row, 'lines'> & { seller_id: Id }>`
    with part as (
      select nextval('ids') as id, * from unnest(
        ${column(part => part.seller_id)}::bigint[], ${column(part => totalOf(part.lines) + postageCents(part))}::bigint[],
        ${column(postageCents)}::bigint[], ${column(part => post(part)?.name ?? '')}::text[],
        ${column(part => post(part)?.days_min)}::int[], ${column(part => post(part)?.days_max)}::int[],
        ${column(part => part.ready_days)}::int[], ${column(part => pickup(part)?.place)}::text[],
        ${column(part => pickup(part)?.hours)}::text[], ${column(part => pickup(part) && pickupCode())}::text[],
        ${column(part => part.note)}::text[]
      ) as part (seller_id, total_cents, postage_cents, postage_name, days_min, days_max, ready_days, pickup_place,
        pickup_hours, pickup_code, note)
    ),
    placed as (
      insert into orders (id, purchase_id, idempotency_key, user_id, seller_id, total_cents, postage_cents, postage_name,
        days_min, days_max, ready_by, pickup_place, pickup_hours, pickup_code, note)
      select id, first.purchase_id, case when id = first.purchase_id then ${key ?? null}::text end, ${userId}, seller_id,
        total_cents, postage_cents, postage_name, days_min, days_max, now() + make_interval(hours => 24 * ready_days), pickup_place,
        pickup_hours, pickup_code, note
      from part cross join (select min(id) as purchase_id from part) as first
      returning id, seller_id, purchase_id, status, total_cents, postage_cents, created_at
    ),
    sold as (
      select placed.id as order_id, placed.seller_id, line.product_id, line.variant_id, line.name, line.price_cents, line.quantity, line.answers,
        row_number() over (partition by line.product_id order by line.number) as line
      from unnest(
        ${ofLines('seller_id')}::bigint[], ${ofLines('product_id')}::bigint[],
        ${lines.map(line => line.variant_id ?? null)}::bigint[], ${ofLines('name')}::text[],
        ${ofLines('price_cents')}::int[], ${ofLines('quantity')}::int[], ${lines.map(({ answers }) => JSON.stringify(answers))}::text[]
      ) with ordinality as line (seller_id, product_id, variant_id, name, price_cents, quantity, answers, number)
      join placed using (seller_id)
    ),
    written as (
      insert into order_lines (order_id, product_id, variant_id, line, name, price_cents, quantity, answers)
      select order_id, product_id, variant_id, line, name, price_cents, quantity, answers::jsonb from sold
    ),
    sent_to as (
      insert into order_addresses (order_id, name, line1, line2, city, region, postal_code, country)
      select part.id, ${address?.name ?? ''}::text, ${address?.line1 ?? ''}::text, ${address?.line2 ?? ''}::text,
        ${address?.city ?? ''}::text, ${address?.region ?? ''}::text, ${address?.postal_code ?? ''}::text,
        ${address?.country ?? ''}::text
      from part where part.pickup_place is null
    ),
    taken as (${takingStock(sql`sold`)}),
    chosen as (
      ${deletingChoices(userId)}
    ),
    letters as (${insertLettersSql(sql`(
      select distinct 'order-received' as kind, purchase_id as subject, ${userId}::bigint as recipient, false as notify from placed
      union all select 'sold', id, seller_id, true from placed where seller_id <> ${userId}
    )`)})
    select * from placed order by id
  `.execute(db)
  if (rows.length < parts.length) throw new Error('insert into orders returned too few rows')
  return purchaseOf(
    rows.map(({ seller_id, ...row }) => ({
      ...row,
      lines: parts.find(part => part.seller_id === seller_id)?.lines ?? [],
    })),
  )
}

async function placedWith(db: Database, userId: Id, key: string): Promise<Purchase | undefined> {
  const rows = await orders(db)
    .where('o.purchase_id', 'in', eb =>
      eb
        .selectFrom('orders')
        .select('purchase_id')
        .where('user_id', '=', userId)
        .where('idempotency_key', '=', key),
    )
    .orderBy('o.id')
    .execute()
  return rows.length > 0 ? purchaseOf(rows) : undefined
}

/**
 * Cancels an order and gives its stock back, exactly once: of concurrent calls, one changes the order and goes on.
 * @throws Problem 404 unknown or someone else's, 409 no longer pending
 */
export function cancel(db: Database, userId: Id, id: Id): Promise<void> {
  return transaction(db, async db => {
    const order = await lockOrder(db, id)
    if (order?.user_id !== userId) throw new Problem(404, NO_ORDER)
    if (order.status !== 'Pending') throw new Problem(409, NOT_PENDING)
    const units = await openUnits(db, id)
    await cancelUnits(db, id, units, { role: 'shopper' })
    await queueLetters(db, [
      { kind: 'order-cancelled', subject: id, recipient: userId },
      ...(order.seller_id === null || order.seller_id === userId
        ? []
        : [{ kind: 'sale-cancelled', subject: id, recipient: order.seller_id, notify: true }]),
    ])
  })
}
