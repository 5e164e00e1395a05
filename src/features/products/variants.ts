import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import { fromCents } from '#money'
import type { Database } from '#platform/database/database.ts'
import type { Question } from './questions-contract.ts'
import type { Variations } from './variations-contract.ts'

/** Everything that a shopper answers about `products as p`: the choice of its variations first. */
export const questionsSql: RawBuilder<Question[]> = sql<Question[]>`p.variations || p.questions`

/** Whether `products as p` has variations. */
export const isVaried: RawBuilder<boolean> = sql<boolean>`(p.variations <> '[]')`

/** Whether the price of `products as p` is the lowest of several. */
export const priceVaries: AliasedRawBuilder<boolean, 'price_varies'> = sql<boolean>`(${isVaried} and exists (
  select from variants as v
  where v.product_id = p.id and v.deleted_at is null and v.price_cents > p.price_cents))`.as('price_varies')

/** A combination that is for sale. `price_cents` is integer cents. */
export interface Variant {
  id: Id
  product_id: Id
  options: string[]
  price_cents: number
  sku: string
  photo: number | null
  stock: number
}

/** Combinations of listings that are for sale, in the order of each listing. */
export function variantsOf(db: Database, productIds: Id[]): Promise<Variant[]> {
  return db
    .selectFrom('variants')
    .select(['id', 'product_id', 'options', 'price_cents', 'sku', 'photo', 'quantity as stock'])
    .where('product_id', '=', sql<Id>`any(${productIds}::bigint[])`)
    .where('deleted_at', 'is', null)
    .orderBy('product_id')
    .orderBy('position')
    .execute()
}

/** The variations of a listing, as the API returns them. @param variants its combinations */
export const variationsIn = (questions: Question[], variants: Variant[]): Variations => ({
  variations: questions.map(({ title, options = [] }) => ({ title, options })),
  combinations: variants.map(({ id, options, price_cents, stock, sku, photo }) => ({
    ...{ id, options, price: fromCents(price_cents), stock, sku, photo },
  })),
})
