import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Id } from '#contract'
import { fromCents } from '#money'
import type { Database } from '#platform/database/database.ts'
import { detailColumns } from '#products/details.ts'
import { listingColumns } from '#products/products.ts'
import { pages } from './pages.ts'

/** Listings in memory: each with every change of its stock, one for each sale. */
const AT_ONCE = 10

/** Listings, deleted ones too, with every change of their stock. */
export const listings = (db: Database, id: Id) =>
  pages(
    after => listingsAfter(db, id, after),
    ({ id }) => id,
  )

async function listingsAfter(db: Database, id: Id, after: Id) {
  const rows = await db
    .selectFrom('products as p')
    .select(['p.id', ...listingColumns, ...detailColumns, 'p.version'])
    .select([
      'p.created_at',
      'p.changed_at',
      'p.deleted_at',
      'p.retired_at',
      'p.hidden_at',
      'p.suspended_at',
      'p.added_as as idempotency_key',
      'p.source_key',
    ])
    .select(['p.made_to_order', 'p.handling_days', 'p.postage_profile_id'])
    .select(eb =>
      jsonArrayFrom(
        eb
          .selectFrom('stock_ledger as l')
          .select([
            'l.id',
            'l.variant_id',
            'l.units',
            'l.reason',
            'l.order_id',
            'l.event_id',
            'l.created_at',
            'l.sent_as as idempotency_key',
          ])
          .whereRef('l.product_id', '=', 'p.id')
          .orderBy('l.id'),
      ).as('stock'),
    )
    .select(eb =>
      jsonArrayFrom(
        eb
          .selectFrom('variants as v')
          .select([
            'v.id',
            'v.options',
            'v.position',
            'v.price_cents',
            'v.sku',
            'v.photo',
            'v.quantity',
            'v.deleted_at',
          ])
          .whereRef('v.product_id', '=', 'p.id')
          .orderBy('v.position'),
      ).as('combinations'),
    )
    .where('p.seller_id', '=', id)
    .where('p.id', '>', after)
    .orderBy('p.id')
    .limit(AT_ONCE)
    .execute()
  return rows.map(({ price_cents, combinations, ...row }) => ({
    ...row,
    price: fromCents(price_cents),
    combinations: combinations.map(({ price_cents, ...each }) => ({
      ...each,
      price: fromCents(price_cents),
    })),
  }))
}
