import { type RawBuilder, sql } from 'kysely'
import { ownersOf } from '#accounts/session-store.ts'
import type { Id } from '#contract'
import { imageColumns } from '#images/dto.ts'
import { createBatcher } from '#platform/database/batch.ts'
import { type Database, isLockConflict, transaction } from '#platform/database/database.ts'
import { counting, type RateLimit } from '#platform/http/rate-limit.ts'
import { isAway } from '#postage/away.ts'
import { awayRefusal } from '#postage/rates.ts'
import { Problem } from '#problem'
import { shortOf } from '#products/stock.ts'
import { available, lock, type Row, view } from './cart.ts'
import { type CartLine, MAX_LINES, MAX_QUANTITY } from './contract.ts'

/**
 * Adds a listing to the cart, or raises its line, to at most the smaller of 30 and the stock.
 * @throws Problem 404 for no such listing, 409 above the stock (the line is unchanged), for too many lines, or while its
 * seller is away
 */
export async function add(db: Database, userId: Id, productId: Id, quantity: number): Promise<CartLine> {
  const requested = sql`select 1 as number, ${userId}::bigint as user_id, ${productId}::bigint as product_id, ${quantity}::int as units`
  for (;;) {
    const { name, stock } = await available(db, productId)
    if (quantity > stock) throw new Problem(409, shortOf(name, stock))
    await assertHere(db, productId)
    const [line] = await transaction(db, async db => {
      // With the lock, the number of lines is final.
      await lock(db, userId)
      return upsertLines(db, { requested, locking: sql`for key share`, lines: MAX_LINES })
    })
    if (line) return line.view
    const existing = await db
      .selectFrom('cart_lines')
      .select('quantity')
      .where('user_id', '=', userId)
      .where('product_id', '=', productId)
      .executeTakeFirst()
    if (existing && existing.quantity >= Math.min(MAX_QUANTITY, stock))
      throw new Problem(409, full(name, existing.quantity, stock))
    if (!existing && (await linesOf(db, userId)) >= MAX_LINES) throw new Problem(409, TOO_MANY_LINES)
    // Below the limit by now: add it.
  }
}

/** Requires that the seller of a listing is not on holiday. @throws Problem 409 */
async function assertHere(db: Database, productId: Id): Promise<void> {
  const away = await db
    .selectFrom('products as p')
    .innerJoin('shops as h', 'h.user_id', 'p.seller_id')
    .innerJoin('users as u', 'u.id', 'p.seller_id')
    .select(['u.username', 'h.away_until'])
    .where('p.id', '=', productId)
    .where(isAway('h'))
    .executeTakeFirst()
  if (away?.away_until) throw new Problem(409, awayRefusal(away.username, away.away_until))
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

/** A request to add a listing to the cart of a session. */
interface AddRequest {
  token: string
  product_id: Id
  units: number
  /** Rate limit of cart changes per hour; undefined: unlimited. */
  rateLimit: RateLimit | undefined
}

interface AddedLine {
  user_id: Id
  view: CartLine
}

/** Below this number a cart stays under MAX_LINES without an exclusive lock, because a batch adds far fewer lines. */
const SAFE_LINES = MAX_LINES / 2
/** Maximum number of concurrent batches: one runs in the database while the next is sent. */
const MAX_BATCHES = 2

/**
 * Adds for concurrent requests in one statement, which also looks up their sessions and counts the rate limit: an
 * add of its own would exceed the budget of docs/performance.md. It skips carts that are locked, and a second
 * request of the same user, so that it never waits for a lock.
 * @returns the line; undefined if not added: then `add` adds it, or throws the reason
 */
export const addBatched: (db: Database, request: AddRequest) => Promise<AddedLine | undefined> =
  createBatcher(async (db: Database, requests: AddRequest[]) => {
    const column = <K extends 'token' | 'product_id' | 'units'>(name: K) =>
      requests.map(request => request[name])
    const requested = sql`
      select distinct on (user_id) number, user_id, product_id, units
      from ${ownersOf(column('token'))} as person
      join unnest(${column('product_id')}::bigint[], ${column('units')}::int[]) with ordinality
        as request (product_id, units, number) using (number)
      order by user_id, number`
    const locking = sql`for key share skip locked`
    const limits = { lines: SAFE_LINES, rateLimit: requests[0]?.rateLimit }
    const lines = await upsertLines(db, { requested, locking, ...limits }).catch(error => {
      if (isLockConflict(error)) return []
      throw error
    })
    const added = new Map(lines.map(line => [line.number, line]))
    return requests.map((_, index) => added.get(index + 1))
  }, MAX_BATCHES)

interface Upsert {
  /** Selects number, user_id, product_id and units, each user once, by ascending user_id. */
  requested: RawBuilder<unknown>
  /** The row lock of the carts. */
  locking: RawBuilder<unknown>
  /** Maximum number of lines in a cart. */
  lines: number
  /** Rate limit of cart changes; undefined: not counted here. */
  rateLimit?: RateLimit | undefined
}

/** Inserts or raises lines in one statement. Locks carts before lines, like every other change of a cart. */
async function upsertLines(
  db: Database,
  { requested, locking, lines, rateLimit }: Upsert,
): Promise<(AddedLine & { number: number })[]> {
  const { rows } = await sql<Row & { number: number; user_id: Id }>`
    with requested as (${requested}),
    cart as (select user_id from carts where user_id in (select user_id from requested) ${locking}),
    listing as (
      select requested.*, p.name, p.price_cents, p.deleted_at, s.quantity as stock
      from requested join cart using (user_id)
      join products as p on p.id = requested.product_id join stock as s on s.product_id = p.id
      where p.deleted_at is null and s.quantity >= requested.units
      and not exists (select from shops as h where h.user_id = p.seller_id and ${isAway('h')}) and (
        exists (select from cart_lines as l where l.user_id = requested.user_id and l.product_id = requested.product_id)
        or (select count(*) from (select from cart_lines as l where l.user_id = requested.user_id limit ${lines}) as l) < ${lines}
      )
    ),
    counted as (${counting(rateLimit, 'cart', sql`listing`)}),
    line as (
      insert into cart_lines as l (user_id, product_id, quantity, added_price_cents)
      select user_id, product_id, units, price_cents from listing join counted using (user_id)
      where allowed order by user_id
      on conflict on constraint cart_lines_one_each do update
        set quantity = least(l.quantity + excluded.quantity, ${MAX_OF_LINE}), added_price_cents = excluded.added_price_cents
        where l.quantity < ${MAX_OF_LINE}
      returning id, user_id, quantity, added_price_cents
    )
    select line.id, line.quantity, line.added_price_cents, listing.*, null as away_until, null as seller, i.image_id, ${ofImage}
    from line join listing using (user_id) left join lateral (
      select i.id as image_id, ${ofImage} from images as i
      where i.product_id = listing.product_id and i.width is not null order by i.id limit 1
    ) as i on true
  `.execute(db)
  return rows.map(({ number, user_id, ...row }) => ({ number, user_id, view: view(row) }))
}

const ofImage = sql.join(imageColumns.map(column => sql.ref(column)))

/** Maximum quantity of the line `l`. */
const MAX_OF_LINE = sql`least(${MAX_QUANTITY}::int, (select quantity from stock where product_id = l.product_id))`

/** Refusal of a line that cannot grow. */
const full = (name: string, existing: number, stock: number): string =>
  existing >= MAX_QUANTITY
    ? `Your cart already holds ${existing} of ${name}, which is the most for one order`
    : `Your cart already holds ${existing} of ${name}; only ${stock} in stock`
