import { sql } from 'kysely'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { changedQuestions } from '#products/answer-rules.ts'
import type { Answer } from '#products/questions-contract.ts'
import type { Units } from '#products/stock.ts'
import { shortOf } from '#products/variation-text.ts'
import { alreadyHeld, answersDigest } from './answers.ts'
import { lock, quantities } from './cart.ts'
import { MAX_LINES, MAX_QUANTITY } from './contract.ts'
import { itemPrice, type ListingForSale, listingsForSale, stockItemOf } from './stock-item.ts'

/** The result for one wanted line. */
interface Refilled {
  added: number
  in_cart: number
  /** Why the cart holds fewer than wanted. Null if it does not. */
  reason: string | null
}
interface Wanted extends Units {
  /** Name of the listing, which may be deleted by now. */
  name: string
  answers: Answer[]
}

/**
 * Raises the lines of a cart to these quantities, as far as stock and cart limits allow. Idempotent: a line that
 * holds enough stays as it is.
 * @param ownListings whether the user may buy their own listings
 * @returns one result for each wanted line, in the same order
 */
export function refill(
  db: Database,
  userId: Id,
  wanted: Wanted[],
  ownListings: boolean,
): Promise<Refilled[]> {
  return transaction(db, async db => {
    await lock(db, userId)
    const held = new Map((await quantities(db, userId)).map(line => [keyOf(line), line]))
    const forSale = await listingsForSale(
      db,
      wanted.map(({ product_id }) => product_id),
    )
    const raised: (Wanted & { answers_digest: string })[] = []
    const filled = wanted.map(line => {
      const { product_id, answers } = line
      const listing = forSale.get(product_id)
      const { variant_id, options, stock } = (listing && stockItemOf(listing, answers)) ?? NO_PIECE
      const answers_digest = answersDigest(answers, variant_id)
      const key = keyOf({ product_id, answers_digest })
      const before = held.get(key)?.quantity ?? 0
      const all = [...held.values()].filter(
        other => other.product_id === product_id && other.variant_id === variant_id,
      )
      const elsewhere = all.reduce((sum, { quantity }) => sum + quantity, -before)
      const { most, reason } = fittingQuantity(listing && { ...listing, stock }, {
        ...line,
        variant_id,
        options,
        userId,
        ownListings,
        elsewhere,
      })
      const isNew = before === 0 && most > 0
      if (isNew && held.size >= MAX_LINES) return { added: 0, in_cart: 0, reason: TOO_MANY }
      const in_cart = Math.max(before, most)
      if (in_cart > before) {
        held.set(key, { product_id, variant_id, answers_digest, quantity: in_cart })
        raised.push({ ...line, variant_id, quantity: in_cart, answers_digest })
      }
      return { added: in_cart - before, in_cart, reason: in_cart >= line.quantity ? null : reason }
    })
    if (raised.length > 0) await raise(db, userId, raised)
    return filled
  })
}

const TOO_MANY = `Your cart holds ${MAX_LINES} different pieces, which is the most for one order`

const keyOf = ({ product_id, answers_digest }: { product_id: Id; answers_digest: string }) =>
  `${product_id} ${answers_digest}`

/** Stands for a deleted listing or a removed combination. */
const NO_PIECE = { variant_id: null, options: [], stock: 0 }

interface Asked extends Wanted {
  options: string[]
  userId: Id
  ownListings: boolean
  /** Units in other lines. */
  elsewhere: number
}

/** How many of the wanted units fit into a line. `reason` says why not all, or null. */
function fittingQuantity(
  listing: ListingForSale | undefined,
  asked: Asked,
): { most: number; reason: string | null } {
  const { name, options, quantity, answers, variant_id, userId, ownListings, elsewhere } = asked
  if (!listing) return { most: 0, reason: `${name} is no longer for sale` }
  const { stock, questions, variations, seller_id, away } = listing
  if (!ownListings && seller_id === userId) return { most: 0, reason: `${name} is your own listing` }
  if (away) return { most: 0, reason: away }
  if (changedQuestions(name, { questions, is_varied: variations.length > 0 }, { answers, variant_id }))
    return { most: 0, reason: `The maker has changed what they ask about ${name}: add it on its page` }
  const most = Math.max(0, Math.min(quantity, stock - elsewhere, MAX_QUANTITY))
  if (stock < quantity) return { most, reason: shortOf(name, options, stock) }
  if (stock - elsewhere < quantity) return { most, reason: alreadyHeld(name, elsewhere, stock) }
  return {
    most,
    reason: quantity > MAX_QUANTITY ? `At most ${MAX_QUANTITY} of ${name} fit into a cart` : null,
  }
}

/** Writes the lines of a locked cart, with the present prices. */
async function raise(
  db: Database,
  userId: Id,
  lines: (Wanted & { answers_digest: string })[],
): Promise<void> {
  await sql`
    insert into cart_lines (user_id, product_id, variant_id, quantity, answers, answers_digest, added_price_cents)
    select ${userId}, p.id, v.id, line.quantity, line.answers::jsonb, line.digest, ${itemPrice}
    from unnest(
      ${lines.map(line => line.product_id)}::bigint[], ${lines.map(line => line.variant_id ?? null)}::bigint[],
      ${lines.map(line => line.quantity)}::int[], ${lines.map(line => JSON.stringify(line.answers))}::text[],
      ${lines.map(line => line.answers_digest)}::text[]
    ) with ordinality as line (product_id, variant_id, quantity, answers, digest, number)
    join products as p on p.id = line.product_id
    left join variants as v on v.id = line.variant_id
    order by p.id, line.number
    on conflict on constraint cart_lines_one_each do update
      set quantity = excluded.quantity, added_price_cents = excluded.added_price_cents
  `.execute(db)
}
