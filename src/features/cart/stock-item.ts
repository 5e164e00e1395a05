import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { isAway } from '#postage/away.ts'
import { awayRefusal } from '#postage/rates.ts'
import { makerName } from '#products/maker-name.ts'
import type { Answer, Question } from '#products/questions-contract.ts'
import { questionsSql, type Variant, variantsOf } from '#products/variants.ts'
import { chosenCombination } from '#products/variation-text.ts'

// A stock item has one price and one stock: a combination, or a listing without variations.

/** Price of a stock item: `products as p`, or its combination `variants as v`. Integer cents. */
export const itemPrice = sql<number>`coalesce(v.price_cents, p.price_cents)`

/** Units in stock of a combination `variants as v` with this id, or of the listing, `stock as s`, where it is null. */
export const itemStock = (variantId: RawBuilder<unknown>): RawBuilder<number> =>
  sql`case when ${variantId} is null then s.quantity when v.deleted_at is null then v.quantity else 0 end`

/** Whether `images as i` is the photo that the combination `variants as v` names by its place. */
export const isItemPhoto = sql<boolean>`v.photo is not null and i.id = (
  select o.id from images as o where o.product_id = i.product_id order by o.position, o.id offset v.photo - 1 limit 1)`

/** A listing that is for sale. `questions` begin with those of its variations. */
export interface ListingForSale {
  seller_id: Id
  name: string
  stock: number
  /** The refusal while its seller is on holiday. Null if they take orders. */
  away: string | null
  questions: Question[]
  variations: Question[]
  variants: Variant[]
}

/** Listings that are for sale, by id. */
export async function listingsForSale(db: Database, ids: Id[]): Promise<Map<Id, ListingForSale>> {
  const rows = await db
    .selectFrom('products as p')
    .innerJoin('stock as s', 's.product_id', 'p.id')
    // Joins a row only while the seller is on holiday.
    .leftJoin('shops as m', join => join.onRef('m.user_id', '=', 'p.seller_id').on(isAway('m')))
    .leftJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.away_until', makerName.as('seller')])
    .select([
      'p.id',
      'p.seller_id',
      'p.name',
      'p.variations',
      's.quantity as stock',
      questionsSql.as('questions'),
    ])
    .where('p.id', '=', sql<Id>`any(${ids}::bigint[])`)
    .where('p.deleted_at', 'is', null)
    .execute()
  const listings = rows.map(({ variations, away_until, seller, ...row }) => ({
    ...row,
    away: away_until && seller ? awayRefusal(seller, away_until) : null,
    variations: variations as Question[],
  }))
  const varied = listings.filter(({ variations }) => variations.length > 0).map(({ id }) => id)
  const variants = varied.length > 0 ? await variantsOf(db, varied) : []
  return new Map(
    listings.map(({ id, ...listing }) => [
      id,
      { ...listing, variants: variants.filter(({ product_id }) => product_id === id) },
    ]),
  )
}

/** A listing without variations, or one of its combinations, which has options. */
interface StockItem {
  variant_id: Id | null
  options: string[]
  stock: number
}

/** The stock item that the answers choose. Undefined if the maker does not offer that combination. */
export function stockItemOf(
  { stock, variations, variants }: ListingForSale,
  answers: Answer[],
): StockItem | undefined {
  if (variations.length === 0) return { variant_id: null, options: [], stock }
  const variant = chosenCombination(variations, variants, answers)
  return variant && { variant_id: variant.id, options: variant.options, stock: variant.stock }
}
