import { type RawBuilder, sql } from 'kysely'
import { ownersOf } from '#accounts/session-store.ts'
import type { Id } from '#contract'
import { imageColumns, photoOrder } from '#images/dto.ts'
import { createBatcher } from '#platform/database/batch.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { isLockConflict } from '#platform/database/database-errors.ts'
import { countUsesSql, type RateLimit } from '#platform/http/rate-limit.ts'
import { isAway } from '#postage/away.ts'
import { Problem } from '#problem'
import type { Answer } from '#products/questions-contract.ts'
import { missing } from '#products/seller-of.ts'
import { isVaried, questionsSql } from '#products/variants.ts'
import { shortOf } from '#products/variation-text.ts'
import { alreadyHeld, answersDigest, heldOf, requireAnswers } from './answers.ts'
import { lock, type Row, view } from './cart.ts'
import { type CartLine, MAX_LINES, MAX_QUANTITY } from './contract.ts'
import { isItemPhoto, itemPrice, itemStock, listingsForSale, stockItemOf } from './stock-item.ts'

/**
 * Adds a listing to the cart, or raises the line with the same answers, to at most 30. All lines of the listing, or of one of its
 * combinations, are together at most the stock.
 * @throws Problem 404 for no such listing, 400 for answers that do not fit its questions, 409 above the stock (the line is
 * unchanged), for a combination that is not made, for too many lines, or while its seller is away
 */
export async function add(
  db: Database,
  userId: Id,
  productId: Id,
  { quantity, answers: typed = [] }: { quantity: number; answers?: Answer[] | undefined },
  idempotencyKey?: string,
): Promise<CartLine> {
  for (let round = 1; ; round++) {
    if (round > MAX_ROUNDS) throw new Problem(409, CHANGING)
    const listing = (await listingsForSale(db, [productId])).get(productId)
    if (!listing) throw missing()
    const { name, questions, away } = listing
    const answers = requireAnswers(questions, typed)
    const item = stockItemOf(listing, answers)
    if (!item) throw new Problem(409, NOT_MADE)
    const { variant_id, options, stock } = item
    const digest = answersDigest(answers, variant_id)
    const wanted = { product_id: productId, variant_id, answers_digest: digest }
    const requested = sql`
      select 1 as number, ${userId}::bigint as user_id, ${productId}::bigint as product_id, ${variant_id}::bigint as variant_id,
        ${quantity}::int as units, ${JSON.stringify(answers)}::jsonb as answers, ${digest}::text as digest, ${JSON.stringify(questions)}::jsonb as answered, ${idempotencyKey ?? null}::text as key`
    if (quantity > stock) throw new Problem(409, shortOf(name, options, stock))
    const before = await heldOf(db, userId, wanted)
    if (quantity + before.elsewhere > stock)
      throw new Problem(409, alreadyHeld(name, before.elsewhere, stock))
    if (away) throw new Problem(409, away)
    const [added] = await transaction(db, async db => {
      // With the lock, the number of lines is final.
      await lock(db, userId)
      return upsertLines(db, { requested, locking: sql`for key share`, lines: MAX_LINES })
    })
    if (added) return added.view
    const { line, elsewhere } = await heldOf(db, userId, wanted)
    if (line !== undefined && line >= Math.min(MAX_QUANTITY, stock - elsewhere))
      throw new Problem(
        409,
        line >= MAX_QUANTITY ? full(name, line) : alreadyHeld(name, line + elsewhere, stock),
      )
    if (line === undefined && (await linesOf(db, userId)) >= MAX_LINES) throw new Problem(409, TOO_MANY_LINES)
    // Below the limit by now: add it.
  }
}

/** Tries while the maker or another tab changes what is added. */
const MAX_ROUNDS = 10
const CHANGING = 'This piece is being changed right now. Please try again'
const NOT_MADE = 'The maker does not make this combination. Please choose another one'

async function linesOf(db: Database, userId: Id): Promise<number> {
  const { count } = await db
    .selectFrom('cart_lines')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

const TOO_MANY_LINES = `Your cart holds ${MAX_LINES} different pieces, which is the most for one order; order them or remove one first`

/** A request to add a listing without answers to the cart of a session. */
interface AddRequest {
  token: string
  product_id: Id
  units: number
  /** Idempotency key. */
  key: string | undefined
  /** Rate limit of cart changes. Undefined without a limit. */
  rateLimit: RateLimit | undefined
}

interface AddedLine {
  user_id: Id
  view: CartLine
}

/** Below this number a cart stays under MAX_LINES without an exclusive lock, because a batch adds far fewer lines. */
const SAFE_LINES = MAX_LINES / 2

/**
 * Adds for concurrent requests in one statement, which also looks up their sessions and counts the rate limit: an
 * add of its own would exceed the budget of docs/performance.md. It skips carts that are locked, and a second
 * request of the same user, so that it never waits for a lock.
 * @returns the line; undefined if not added: then `add` adds it, or throws the reason
 */
export const addBatched: (db: Database, request: AddRequest) => Promise<AddedLine | undefined> =
  createBatcher(async (db: Database, requests: AddRequest[]) => {
    const column = <K extends 'token' | 'product_id' | 'units' | 'key'>(name: K) =>
      requests.map(request => request[name])
    const requested = sql`
      select distinct on (user_id) number, user_id, product_id, null::bigint as variant_id, units, '[]'::jsonb as answers, '' as digest,
        '[]'::jsonb as answered, key
      from ${ownersOf(column('token'))} as person
      join unnest(${column('product_id')}::bigint[], ${column('units')}::int[], ${column('key')}::text[]) with ordinality
        as request (product_id, units, key, number) using (number)
      order by user_id, number`
    const locking = sql`for key share skip locked`
    const limits = { lines: SAFE_LINES, rateLimit: requests[0]?.rateLimit }
    const lines = await upsertLines(db, { requested, locking, ...limits }).catch(error => {
      if (isLockConflict(error)) return []
      throw error
    })
    const added = new Map(lines.map(line => [line.number, line]))
    return requests.map((_, index) => added.get(index + 1))
  })

interface Upsert {
  /**
   * Selects number, user_id, product_id, variant_id, units, answers, their digest, the questions that are answered, and
   * the idempotency key; each user once, by ascending user_id.
   */
  requested: RawBuilder<unknown>
  /** The row lock of the carts. */
  locking: RawBuilder<unknown>
  /** Maximum number of lines in a cart. */
  lines: number
  /** Rate limit of cart changes. Undefined if it is not counted here. */
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
      select requested.*, p.name, item.price_cents, p.deleted_at, ${questionsSql} as questions, ${isVaried} as is_varied, item.stock, others.units as elsewhere
      from requested join cart using (user_id)
      join products as p on p.id = requested.product_id join stock as s on s.product_id = p.id
      left join variants as v on v.id = requested.variant_id
      cross join lateral (
        select ${itemPrice} as price_cents, ${itemStock(sql`requested.variant_id`)} as stock
      ) as item
      cross join lateral (
        select coalesce(sum(l.quantity), 0)::int as units from cart_lines as l
        where l.user_id = requested.user_id and l.product_id = requested.product_id
          and l.variant_id is not distinct from requested.variant_id and l.answers_digest <> requested.digest
      ) as others
      where p.deleted_at is null and item.stock >= requested.units + others.units and ${questionsSql} = requested.answered and ${isVaried} = (requested.variant_id is not null)
      and not exists (select from shops as h where h.user_id = p.seller_id and ${isAway('h')}) and (
        -- Not exists, for which PostgreSQL may read the lines of all carts here (a hashed subplan).
        (
          select l.id from cart_lines as l
          where l.user_id = requested.user_id and l.product_id = requested.product_id and l.answers_digest = requested.digest
        ) is not null
        or (select count(*) from (select from cart_lines as l where l.user_id = requested.user_id limit ${lines}) as l) < ${lines}
      )
    ),
    counted as (${countUsesSql(rateLimit, 'cart', sql`listing`)}),
    line as (
      insert into cart_lines as l (user_id, product_id, variant_id, answers, answers_digest, quantity, added_price_cents, added_as)
      select user_id, product_id, variant_id, answers, digest, units, price_cents, key from listing join counted using (user_id)
      where allowed order by user_id
      on conflict on constraint cart_lines_one_each do update
        set quantity = case when ${IS_RETRY} then l.quantity else least(l.quantity + excluded.quantity, ${MAX_OF_LINE}) end,
          added_price_cents = excluded.added_price_cents, added_as = excluded.added_as
        where l.quantity < ${MAX_OF_LINE} or ${IS_RETRY}
      returning id, user_id, quantity, added_price_cents
    )
    select line.id, line.quantity, line.added_price_cents, listing.*, null as away_until, null as seller, i.image_id, ${ofImage}
    from line join listing using (user_id) left join lateral (
      select i.id as image_id, ${ofImage} from images as i left join variants as v on v.id = listing.variant_id
      where i.product_id = listing.product_id and i.width is not null order by ${isItemPhoto} desc, ${photoOrder} limit 1
    ) as i on true
  `.execute(db)
  return rows.map(({ number, user_id, ...row }) => ({ number, user_id, view: view(row) }))
}

const ofImage = sql.join(imageColumns.map(column => sql.ref(column)))

/** Whether the last add to the line `l` had the same idempotency key: its response was lost. */
const IS_RETRY = sql`l.added_as = excluded.added_as`

/** Maximum quantity of the line `l`. */
const MAX_OF_LINE = sql`least(${MAX_QUANTITY}::int, (select stock - elsewhere from listing where user_id = l.user_id))`

const full = (name: string, existing: number): string =>
  `Your cart already holds ${existing} of ${name}, which is the most for one order`
