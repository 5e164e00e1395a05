import { isDeepStrictEqual } from 'node:util'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Id } from '#contract'
import { imageColumns, imageDto, photoOrder } from '#images/dto.ts'
import { fromCents, toCents } from '#money'
import { requireMaySell } from '#onboarding/may-sell.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { requireAddedAs } from './added-as.ts'
import {
  CHANGED_MEANWHILE,
  type Listing,
  type ListingChange,
  type NewListing,
  type RequiredFields,
} from './contract.ts'
import { detailColumns, details, lockSection, written } from './details.ts'
import { handling, handlingColumns, lockPostage } from './handling.ts'
import { makerColumns } from './maker-name.ts'
import { meanRating } from './mean-rating.ts'
import { isSafetyRequired, requireSafety } from './safety.ts'
import { missing, requireOwn, requireSeller } from './seller-of.ts'
import { openStock } from './stock.ts'
import { priceVaries, variantsOf } from './variants.ts'
import {
  changeStock,
  hasCombinations,
  lowestPrice,
  ofNew,
  requireDistinctTitles,
  saveVariations,
} from './variations.ts'

/** The required fields, as columns of `products as p`. */
export const listingColumns = ['p.name', 'p.category', 'p.description', 'p.price_cents'] as const

/** Columns for cards and product pages, of listings that are not deleted. */
export const listings = (db: Database) => everyListing(db).where('p.deleted_at', 'is', null)

/** The same of every listing, deleted ones too. */
export function everyListing(db: Database) {
  return db
    .selectFrom('products as p')
    .innerJoin('users as u', 'u.id', 'p.seller_id')
    .innerJoin('stock as s', 's.product_id', 'p.id')
    .select(['p.id', ...listingColumns, 'p.created_at', 'p.seller_id', 'p.version'])
    .leftJoin('ratings as r', 'r.product_id', 'p.id')
    .leftJoin('shops as m', 'm.user_id', 'p.seller_id')
    .select([...makerColumns, 's.quantity as stock'])
    .select(['r.reviews', 'r.stars', priceVaries])
    .select(eb =>
      jsonArrayFrom(
        eb
          .selectFrom('images as i')
          .select(['i.id', ...imageColumns])
          .whereRef('i.product_id', '=', 'p.id')
          .orderBy(photoOrder),
      ).as('images'),
    )
}
type Row = Awaited<ReturnType<ReturnType<typeof listings>['executeTakeFirstOrThrow']>>

/** A row as the API returns it. Money: cents → dollars. */
export const view = ({ price_cents, created_at, images, reviews, stars, ...row }: Row): Listing => ({
  ...row,
  rating: meanRating(stars ?? 0, reviews ?? 0),
  review_count: reviews ?? 0,
  price: fromCents(price_cents),
  created_at: created_at.toISOString(),
  images: images.map(imageDto),
})

/** One listing. @throws Problem 404 unknown or deleted */
export async function find(db: Database, id: Id): Promise<Listing> {
  const row = await listings(db).where('p.id', '=', id).executeTakeFirst()
  if (!row) throw missing()
  return view(row)
}

/**
 * Adds a listing with its stock. With a repeated idempotency key it updates the first one.
 * @throws Problem as `insert` does; for a repeated key also as `update` does, and 422 if the first one has another name
 */
export async function add(
  db: Database,
  seller: Id,
  fields: NewListing,
  idempotencyKey?: string,
): Promise<Listing> {
  const added = await transaction(db, async db => {
    const id = await insert(db, seller, fields, idempotencyKey)
    // Here, since its seller may be suspended as soon as this transaction has ended.
    return id === undefined ? undefined : find(db, id)
  })
  if (added) return added
  const first = await requireAddedAs(db, seller, idempotencyKey ?? '', fields.name)
  const { variations } = fields
  const sent = { ...fields, stock_shown: 0, ...(variations ? { variations: ofNew(variations) } : {}) }
  return update(db, seller, first, sent, { idempotencyKey })
}

/**
 * Adds a listing with its stock, in the caller's transaction.
 * @param sourceKey names it in the file that it was imported from
 * @returns its id; undefined if the idempotency key has added one already
 * @throws Problem 403 for a user who may not sell, 400 for what is not the seller's, for a variation and a question
 * of one name, and for what product safety lacks
 */
export async function insert(
  db: Database,
  seller: Id,
  fields: NewListing,
  idempotencyKey?: string,
  sourceKey: string | null = null,
): Promise<Id | undefined> {
  // Before a section is locked, in the lock order of its removal.
  await requireMaySell(db, seller)
  if (await isSafetyRequired(db)) await requireSafety(db, seller, fields)
  await lockPostage(db, seller, fields)
  await lockSection(db, seller, fields)
  requireDistinctTitles({ variations: [], questions: [], ...columns(fields) })
  const added = { seller_id: seller, added_as: idempotencyKey ?? null, source_key: sourceKey }
  const product = await db
    .insertInto('products')
    .values({ ...written(columns(fields)), ...added })
    .onConflict(conflict => conflict.columns(['seller_id', 'added_as']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!product) return undefined
  const { id } = product
  const isVaried = (fields.variations?.combinations.length ?? 0) > 0
  await openStock(db, id, isVaried ? 0 : fields.stock, idempotencyKey)
  if (fields.variations && isVaried)
    await saveVariations(db, { id, isVaried: true, stock: 0 }, ofNew(fields.variations), idempotencyKey)
  return id
}

/** Idempotency key and expected version of a change. */
interface ChangeOptions {
  /** Idempotency key: a repeated one does not add stock again. */
  idempotencyKey?: string | undefined
  /** The version that the seller saw. Undefined overwrites any. */
  expected?: number | undefined
}

/**
 * Replaces a listing; the stock as `restock` does.
 * @throws Problem 404 unknown, 403 someone else's, 400 for a postage profile or a section that is not the seller's,
 * for a variation and a question of one name, or for more stock than a listing can have, 409 if another version has
 * other contents, or if more were sold than would be left
 */
export async function update(
  db: Database,
  seller: Id,
  id: Id,
  input: ListingChange,
  { idempotencyKey, expected }: ChangeOptions,
): Promise<Listing> {
  await transaction(db, async db => {
    if (input.postage_profile_id || input.section_id) {
      await requireSeller(db, seller, id)
      await lockPostage(db, seller, input)
      await lockSection(db, seller, input)
    }
    const { version, ...stored } = await own(db, seller, id)
    // Equal contents: a retry or a double click.
    const isSame = async () =>
      isDeepStrictEqual(stored, { ...stored, ...columns(input) }) &&
      hasCombinations(await variantsOf(db, [id]), input.variations)
    if (expected !== undefined && version !== expected && !(await isSame()))
      throw new Problem(409, CHANGED_MEANWHILE)
    requireDistinctTitles({ ...stored, ...columns(input) })
    // Stock before the catalogue row, in the lock order of sales.
    const touched = await changeStock(db, id, { stored, input, idempotencyKey })
    await db
      .updateTable('products')
      .set({ ...written(columns(input)), ...touched })
      .where('id', '=', id)
      .execute()
  })
  return find(db, id)
}

/**
 * Locks the user's own listing until the transaction ends.
 * @returns its fields and version
 * @throws Problem as `requireOwn` does
 */
export async function own(db: Database, seller: Id, id: Id) {
  const product = await db
    .selectFrom('products as p')
    .select(['p.seller_id', 'p.version', ...listingColumns, ...handlingColumns, ...detailColumns])
    .select(['p.deleted_at', 'p.hidden_at', 'p.retired_at'])
    .where('p.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const { seller_id, deleted_at, hidden_at, retired_at, ...fields } = requireOwn(product, seller)
  return fields
}

/** The seller's fields, as columns; those that the input leaves out are not named. The stock has a table of its own. */
const columns = (input: NewListing) => ({
  ...required(input),
  ...lowestPrice(input.variations),
  ...handling(input),
  ...details(input),
})
const required = ({ name, category, description, price }: RequiredFields) =>
  ({
    name,
    category,
    description,
    price_cents: toCents(price),
  }) satisfies Record<Exclude<keyof RequiredFields, 'price' | 'stock'> | 'price_cents', unknown>
