import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Id } from '#contract'
import { imageColumns, imageDto } from '#images/dto.ts'
import { fromCents, toCents } from '#money'
import type { LoadFragment } from '#platform/cache/response-cache.ts'
import { batchLookups } from '#platform/database/batch.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import {
  CHANGED_MEANWHILE,
  type Handling,
  type Listing,
  type ListingChange,
  type ListingDraft,
  type NewListing,
} from './contract.ts'
import { handling, handlingColumns, lockPostage } from './handling.ts'
import { meanRating } from './mean-rating.ts'
import { openStock, restock } from './stock.ts'

/** The seller's fields, as columns of `products as p`. */
export const listingColumns = ['p.name', 'p.category', 'p.description', 'p.price_cents'] as const

/** Columns for cards and product pages, of listings that are not deleted. */
export function listings(db: Database) {
  return db
    .selectFrom('products as p')
    .innerJoin('users as u', 'u.id', 'p.seller_id')
    .innerJoin('stock as s', 's.product_id', 'p.id')
    .select(['p.id', ...listingColumns, 'p.created_at', 'p.seller_id', 'p.version'])
    .leftJoin('ratings as r', 'r.product_id', 'p.id')
    .select(['u.username as seller', 's.quantity as stock', 'r.reviews', 'r.stars'])
    .select(eb =>
      jsonArrayFrom(
        eb
          .selectFrom('images as i')
          .select(['i.id', ...imageColumns])
          .whereRef('i.product_id', '=', 'p.id')
          .orderBy('i.id'),
      ).as('images'),
    )
    .where('p.deleted_at', 'is', null)
}
type Row = Awaited<ReturnType<ReturnType<typeof listings>['executeTakeFirstOrThrow']>>

export const view = ({ price_cents, created_at, images, reviews, stars, ...row }: Row): Listing => ({
  ...row,
  rating: meanRating(stars ?? 0, reviews ?? 0),
  review_count: reviews ?? 0,
  price: fromCents(price_cents),
  created_at: created_at.toISOString(),
  images: images.map(imageDto),
})

/** Concurrent lookups share one statement: searches often find the same listings. */
const loadBatched = batchLookups(async (db: Database, ids: string[]) => {
  const rows = await listings(db).where('p.id', '=', sql<Id>`any(${ids}::bigint[])`).execute()
  return new Map(rows.map(row => [String(row.id), view(row)]))
})

/** A listing by id; undefined if it is deleted. Cached as a fragment, because many searches share it. */
export const listed = (db: Database, id: Id, part: LoadFragment): Promise<Listing | undefined> =>
  part(`listing ${id}`, () => loadBatched(db, String(id)), cacheSize)

/** Estimated bytes of a listing in the cache. */
const cacheSize = (listing: Listing | undefined) => ({
  bytes: listing ? 800 + 2 * charactersOf(listing) + 1_000 * listing.images.length : 0,
})
const charactersOf = (listing: Listing): number =>
  Object.values(listing).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  )

/** One listing. @throws Problem 404 unknown or deleted */
export async function find(db: Database, id: Id): Promise<Listing> {
  const row = await listings(db).where('p.id', '=', id).executeTakeFirst()
  if (!row) throw missing()
  return view(row)
}

/**
 * Adds a listing with its stock. With a repeated idempotency key it updates the first one.
 * @throws Problem 404 if the first one is deleted, 400 for a postage profile that is not the seller's
 */
export async function add(
  db: Database,
  seller: Id,
  draft: NewListing,
  idempotencyKey?: string,
): Promise<Listing> {
  const id = await transaction(db, async db => {
    await lockPostage(db, seller, draft)
    const product = await db
      .insertInto('products')
      .values({ ...columns(draft), ...handling(draft), seller_id: seller, added_as: idempotencyKey ?? null })
      .onConflict(conflict => conflict.columns(['seller_id', 'added_as']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (product) await openStock(db, product.id, draft.stock, idempotencyKey)
    return product?.id
  })
  if (id !== undefined) return find(db, id)
  const first = await db
    .selectFrom('products')
    .select('id')
    .where('seller_id', '=', seller)
    .where('added_as', '=', idempotencyKey ?? null)
    .executeTakeFirstOrThrow()
  return update(db, seller, first.id, { ...draft, stock_shown: 0 }, { idempotencyKey })
}

/** Idempotency key and expected version of a change. */
interface ChangeOptions {
  /** Idempotency key: a repeated one does not add stock again. */
  idempotencyKey?: string | undefined
  /** The version that the seller saw; undefined: replaces any. */
  expected?: number | undefined
}

/**
 * Replaces a listing; the stock as `restock` does.
 * @throws Problem 404 unknown, 403 someone else's, 400 for a postage profile that is not the seller's, 409 if another
 * version has other contents, or if more were sold than would be left
 */
export async function update(
  db: Database,
  seller: Id,
  id: Id,
  draft: ListingChange,
  { idempotencyKey, expected }: ChangeOptions,
): Promise<Listing> {
  await transaction(db, async db => {
    if (draft.postage_profile_id) {
      await onlySeller(db, seller, id)
      await lockPostage(db, seller, draft)
    }
    const { version, postage_profile_id, made_to_order, handling_days, ...stored } = await own(db, seller, id)
    const storedHandling = { postage_profile_id, made_to_order, handling_days }
    // Equal contents: a retry or a double click.
    const isSame = () =>
      isDeepStrictEqual(stored, columns(draft)) &&
      isDeepStrictEqual(storedHandling, { ...storedHandling, ...handling(draft) })
    if (expected !== undefined && version !== expected && !isSame()) throw new Problem(409, CHANGED_MEANWHILE)
    // Stock before the catalogue row, in the lock order of sales.
    await restock(db, id, { target: draft.stock, shown: draft.stock_shown, idempotencyKey })
    await db
      .updateTable('products')
      .set({ ...columns(draft), ...handling(draft) })
      .where('id', '=', id)
      .execute()
  })
  return find(db, id)
}

/** Deletes a listing from sale; orders keep their lines. @throws Problem 404 unknown, 403 someone else's */
export async function remove(db: Database, seller: Id, id: Id): Promise<void> {
  await transaction(db, async db => {
    await own(db, seller, id)
    await db.updateTable('products').set({ deleted_at: sql`now()` }).where('id', '=', id).execute()
  })
}

/**
 * Locks the user's own listing until the transaction ends.
 * @returns its draft and version
 * @throws Problem 404 unknown, 403 someone else's
 */
async function own(
  db: Database,
  seller: Id,
  id: Id,
): Promise<ReturnType<typeof columns> & Required<Handling> & { version: number }> {
  const product = await db
    .selectFrom('products as p')
    .select(['p.seller_id', 'p.version', ...listingColumns, ...handlingColumns])
    .where('p.id', '=', id)
    .where('p.deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!product) throw missing()
  const { seller_id, ...fields } = product
  if (seller_id !== seller) throw forbidden()
  return fields
}

/** Requires that the listing is the user's own. @throws Problem 404 unknown, 403 someone else's */
export async function onlySeller(db: Database, person: Id, id: Id): Promise<void> {
  if ((await sellerOf(db, id)) !== person) throw forbidden()
}

/** The seller of a listing. @throws Problem 404 unknown or deleted */
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

/** The seller's fields, as columns. The stock has a table of its own. */
const columns = ({ name, category, description, price }: ListingDraft) =>
  ({
    name,
    category,
    description,
    price_cents: toCents(price),
  }) satisfies Record<Exclude<keyof ListingDraft, 'price' | 'stock'> | 'price_cents', unknown>

const forbidden = () => new Problem(403, 'Only its seller may change a listing')
const missing = () => new Problem(404, 'There is no such listing')
