import { sql } from 'kysely'
import type { Id } from '#contract'
import { imageColumns } from '#images/dto.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { shortOf } from '#products/stock.ts'
import { available, lock, type Row, view } from './cart.ts'
import { type CartLine, MAX_LINES, MAX_QUANTITY } from './contract.ts'

/** Nobody adds so many lines at the same time: a cart with fewer need not be locked to stay below the most. */
const SURELY_FEW = MAX_LINES / 2

/**
 * Puts a listing into the cart. A line that is there grows, to at most the smaller of 30 and the stock.
 * @throws Problem 404 for no such listing, 409 where more is asked than is in stock (the line stays as it was), or for
 * one line too many
 */
export async function add(db: Database, userId: Id, productId: Id, quantity: number): Promise<CartLine> {
  const wanted = { userId, productId, quantity }
  let line = await addLine(db, wanted, SURELY_FEW)
  while (!line) {
    await assertCanAdd(db, wanted)
    // The person has no cart yet or a long one, or what was in the way is gone by now.
    line = await transaction(db, async db => {
      await lock(db, userId)
      return addLine(db, wanted, MAX_LINES)
    })
  }
  return line
}

interface Wanted {
  userId: Id
  productId: Id
  quantity: number
}

/** @throws Problem that says why a listing cannot be added */
async function assertCanAdd(db: Database, { userId, productId, quantity }: Wanted): Promise<void> {
  const { name, stock } = await available(db, productId)
  if (quantity > stock) throw new Problem(409, shortOf(name, stock))
  const held = await db
    .selectFrom('cart_lines')
    .select('quantity')
    .where('user_id', '=', userId)
    .where('product_id', '=', productId)
    .executeTakeFirst()
  if (held && held.quantity >= Math.min(MAX_QUANTITY, stock))
    throw new Problem(409, full(name, held.quantity, stock))
  if (!held && (await linesOf(db, userId)) >= MAX_LINES) throw new Problem(409, TOO_MANY_LINES)
}

async function linesOf(db: Database, userId: Id): Promise<number> {
  const { count } = await db
    .selectFrom('cart_lines')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

const TOO_MANY_LINES = `Your cart holds ${MAX_LINES} different pieces, which is the most for one order; order them or remove one first`

/**
 * Adds in one statement, which locks the cart before the line, as all do that take or change lines.
 * @param most a cart with so many lines gets no further one
 * @returns nothing where there is no such listing, not enough of it, no cart yet, or no room in it
 */
async function addLine(
  db: Database,
  { userId, productId, quantity }: Wanted,
  most: number,
): Promise<CartLine | undefined> {
  const { rows } = await sql<Row>`
    with cart as (select user_id from carts where user_id = ${userId} for key share),
    listing as (
      select cart.user_id, p.id as product_id, p.name, p.price_cents, p.deleted_at, s.quantity as stock
      from cart cross join products as p join stock as s on s.product_id = p.id
      where p.id = ${productId} and p.deleted_at is null and s.quantity >= ${quantity}::int and (
        exists (select from cart_lines as l where l.user_id = ${userId} and l.product_id = p.id)
        or (select count(*) from (select from cart_lines as l where l.user_id = ${userId} limit ${most}) as l) < ${most}
      )
    ),
    line as (
      insert into cart_lines as l (user_id, product_id, quantity, added_price_cents)
      select user_id, product_id, ${quantity}::int, price_cents from listing
      on conflict on constraint cart_lines_one_each do update
        set quantity = least(l.quantity + excluded.quantity, ${MOST_OF_LINE}), added_price_cents = excluded.added_price_cents
        where l.quantity < ${MOST_OF_LINE}
      returning id, quantity, added_price_cents
    )
    select line.*, listing.*, i.image_id, ${ofImage}
    from line cross join listing left join lateral (
      select i.id as image_id, ${ofImage} from images as i
      where i.product_id = listing.product_id and i.width is not null order by i.id limit 1
    ) as i on true
  `.execute(db)
  return rows[0] && view(rows[0])
}

const ofImage = sql.join(imageColumns.map(column => sql.ref(column)))

/** The most that the line `l` may hold. */
const MOST_OF_LINE = sql`least(${MAX_QUANTITY}::int, (select quantity from stock where product_id = l.product_id))`

/** Why a line cannot grow. */
const full = (name: string, held: number, stock: number): string =>
  held >= MAX_QUANTITY
    ? `Your cart already holds ${held} of ${name}, which is the most for one order`
    : `Your cart already holds ${held} of ${name}; only ${stock} in stock`
