import { type Expression, type SqlBool, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type Id, LIST_LIMIT, type ListQuery } from '#contract'
import { imageView } from '#images/view.ts'
import { fromCents, toCents } from '#money'
import { Problem } from '#problem'
import { type Database, transaction } from '#server/database.ts'
import type { Listing, ListingDraft, ListingPage } from './contract.ts'

/** Everything that a card and a product page show of the listings that are not deleted. */
function listings(db: Database) {
  return db
    .selectFrom('products as p')
    .innerJoin('users as u', 'u.id', 'p.seller_id')
    .innerJoin('stock as s', 's.product_id', 'p.id')
    .select(['p.id', 'p.name', 'p.category', 'p.description', 'p.price_cents', 'p.created_at', 'p.seller_id'])
    .select(['u.username as seller', 's.quantity as stock'])
    .select(eb =>
      jsonArrayFrom(
        eb
          .selectFrom('images as i')
          .select(['i.id', 'i.folder', 'i.kind', 'i.width', 'i.height', 'i.widths'])
          .whereRef('i.product_id', '=', 'p.id')
          .orderBy('i.id'),
      ).as('images'),
    )
    .where('p.deleted_at', 'is', null)
}
type Row = Awaited<ReturnType<ReturnType<typeof listings>['executeTakeFirstOrThrow']>>

const view = ({ price_cents, created_at, images, ...row }: Row): Listing => ({
  ...row,
  price: fromCents(price_cents),
  created_at: created_at.toISOString(),
  images: images.map(imageView),
})

/**
 * Listings, newest first; of equal age the larger id first. At most `limit` (100 unless told), after `cursor`.
 * With `seller`, only theirs. @throws Problem 400 for a cursor that no list gave out
 */
export async function list(
  db: Database,
  { limit = LIST_LIMIT, cursor }: ListQuery,
  seller?: Id,
): Promise<ListingPage> {
  let query = listings(db)
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(limit + 1)
  if (seller !== undefined) query = query.where('p.seller_id', '=', seller)
  if (cursor !== undefined) query = query.where(after(cursor))
  const rows = await query.execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    products: page.map(view),
    next_cursor: rows.length > limit && last ? await cursorAfter(db, last.id) : null,
  }
}

/** Microseconds since 1970 and id of the last row, in base64url: JavaScript's dates would lose the microseconds. */
async function cursorAfter(db: Database, id: Id): Promise<string> {
  const { at } = await db
    .selectFrom('products')
    .select(sql<string>`(extract(epoch from created_at) * 1000000)::bigint::text`.as('at'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return Buffer.from(`${at}.${id}`).toString('base64url')
}

function after(cursor: string): Expression<SqlBool> {
  const [, at, id] = /^(\d{1,18})\.([1-9]\d{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!at || !id) throw new Problem(400, 'Cursor is not one of ours')
  return sql<boolean>`(p.created_at, p.id) < (timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond', ${id}::bigint)`
}

/** One listing. @throws Problem 404 where there is none, or no longer */
export async function find(db: Database, id: Id): Promise<Listing> {
  const row = await listings(db).where('p.id', '=', id).executeTakeFirst()
  if (!row) throw missing()
  return view(row)
}

/** Adds a listing with its stock. */
export async function add(db: Database, seller: Id, draft: ListingDraft): Promise<Listing> {
  const id = await transaction(db, async db => {
    const product = await db
      .insertInto('products')
      .values({ ...columns(draft), seller_id: seller })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('stock').values({ product_id: product.id, quantity: draft.stock }).execute()
    return product.id
  })
  return find(db, id)
}

/** Replaces what the seller says of the piece. @throws Problem 404 unknown, 403 someone else's */
export async function update(db: Database, seller: Id, id: Id, draft: ListingDraft): Promise<Listing> {
  await transaction(db, async db => {
    await own(db, seller, id)
    await db.updateTable('products').set(columns(draft)).where('id', '=', id).execute()
    await db.updateTable('stock').set({ quantity: draft.stock }).where('product_id', '=', id).execute()
  })
  return find(db, id)
}

/** Hides a listing everywhere; orders keep their lines. @throws Problem 404 unknown, 403 someone else's */
export async function remove(db: Database, seller: Id, id: Id): Promise<void> {
  await transaction(db, async db => {
    await own(db, seller, id)
    await db.updateTable('products').set({ deleted_at: sql`now()` }).where('id', '=', id).execute()
  })
}

/** Locks the own listing until the transaction ends. @throws Problem 404 unknown, 403 someone else's */
export async function own(db: Database, seller: Id, id: Id): Promise<void> {
  const product = await db
    .selectFrom('products')
    .select('seller_id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!product) throw missing()
  if (product.seller_id !== seller) throw new Problem(403, 'Only its seller may change a listing')
}

/** Who sells a listing. @throws Problem 404 where there is none, or no longer */
export async function sellerOf(db: Database, id: Id): Promise<Id> {
  const product = await db
    .selectFrom('products')
    .select('seller_id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!product) throw missing()
  return product.seller_id
}

/** What is taken from stock or given back to it. */
export interface Units {
  product_id: Id
  quantity: number
}

/** A listing as it is at the moment of sale. `price_cents` is integer cents. */
export interface Sold extends Units {
  name: string
  price_cents: number
}

/**
 * Takes the stock of all lines, or says which are short. Belongs into a transaction, which the caller rolls back
 * by letting the Problem pass. Listings are locked by ascending id, so that concurrent sales never deadlock.
 * @throws Problem 409 naming each line that is short or gone
 */
export async function takeStock(db: Database, lines: Units[]): Promise<Sold[]> {
  const ids = lines.map(line => line.product_id)
  // Shared with other sales, but no seller changes price or name, or deletes the listing, until this sale is done.
  const listings = await db
    .selectFrom('products')
    .select(['id', 'name', 'price_cents', 'deleted_at'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forShare()
    .execute()
  const stock = await lockStock(db, ids)
  const sold: Sold[] = []
  const errors: string[] = []
  for (const { product_id, quantity } of lines) {
    const listing = listings.find(row => row.id === product_id)
    const left = stock.get(product_id) ?? 0
    if (!listing || listing.deleted_at) errors.push(`${listing?.name ?? 'A listing'} is no longer available`)
    else if (left < quantity) errors.push(shortOf(listing.name, left))
    else sold.push({ product_id, quantity, name: listing.name, price_cents: listing.price_cents })
  }
  if (errors[0] !== undefined) throw new Problem(409, errors[0], { errors })
  await changeStock(db, lines, -1)
  return sold
}

/** Gives stock back, by ascending id as it was taken. A piece that would exceed the largest stock stays at it. */
export async function giveBack(db: Database, lines: Units[]): Promise<void> {
  await lockStock(
    db,
    lines.map(line => line.product_id),
  )
  await changeStock(db, lines, 1)
}

/** Locks the stock of listings by ascending id, until the transaction ends. @returns listing → units in stock */
async function lockStock(db: Database, ids: Id[]): Promise<Map<Id, number>> {
  const rows = await db
    .selectFrom('stock')
    .select(['product_id', 'quantity'])
    .where('product_id', 'in', ids)
    .orderBy('product_id')
    .forUpdate()
    .execute()
  return new Map(rows.map(row => [row.product_id, row.quantity]))
}

/** One statement for all lines, whose rows the caller has locked. */
async function changeStock(db: Database, lines: Units[], sign: 1 | -1): Promise<void> {
  const ids = lines.map(line => line.product_id)
  const units = lines.map(line => sign * line.quantity)
  await sql`
    update stock set quantity = least(stock.quantity + line.units, 1000000)
    from unnest(${ids}::bigint[], ${units}::int[]) as line (product_id, units)
    where stock.product_id = line.product_id
  `.execute(db)
}

/** Words for a line that asks for more than there is. */
export const shortOf = (name: string, stock: number): string =>
  stock === 0 ? `${name} is sold out` : `Only ${stock} of ${name} left in stock`

const columns = ({ name, category, description, price }: ListingDraft) => ({
  name,
  category,
  description,
  price_cents: toCents(price),
})

const missing = () => new Problem(404, 'There is no such listing')
