import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import { fromCents } from '#money'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import type { BulkChange, Values } from './bulk-contract.ts'
import { lockSection, NOT_OWN } from './details.ts'

// What the preview of a bulk edit and the edit read.

/** Refusal of a listing that is not for sale, or belongs to another seller. */
export const NOT_THERE = 'It is no longer for sale'
const NOT_RETIRED = 'It is not retired'
export const notThere = ({ change }: BulkChange): string => (change === 'restore' ? NOT_RETIRED : NOT_THERE)

/** Own listings that a change may change: retired ones where it brings them back, else those for sale. */
export const listingsFor = (db: Database, seller: Id, { change }: BulkChange) =>
  db
    .selectFrom('products as p')
    .innerJoin('stock as s', 's.product_id', 'p.id')
    .leftJoin('sections as c', 'c.id', 'p.section_id')
    .select(['p.id', 'p.name', 'p.version', 'p.price_cents', 'p.tags', 'p.section_id', 'p.retired_at'])
    .select(['p.hidden_at', 'p.suspended_at', 'p.safety', 'p.manufacturer'])
    .select(['s.quantity as stock', 'c.name as section'])
    .select(eb => {
      const combinations = eb
        .selectFrom('variants as v')
        .whereRef('v.product_id', '=', 'p.id')
        .where('v.deleted_at', 'is', null)
      return [
        combinations.select(sql<number>`count(*)::int`.as('count')).as('combinations'),
        combinations.select(sql<number>`max(v.price_cents)`.as('most')).as('highest_cents'),
      ]
    })
    .where('p.seller_id', '=', seller)
    .where(
      change === 'restore' ? 'p.retired_at' : 'p.deleted_at',
      change === 'restore' ? 'is not' : 'is',
      null,
    )
export type BulkListing = Awaited<ReturnType<ReturnType<typeof listingsFor>['executeTakeFirstOrThrow']>>

export const valuesOf = ({
  price_cents,
  highest_cents,
  stock,
  combinations,
  section,
  tags,
  retired_at,
}: BulkListing): Values => ({
  price: fromCents(price_cents),
  price_to: fromCents(highest_cents ?? price_cents),
  stock,
  combinations: combinations ?? 0,
  section,
  tags,
  retired: retired_at !== null,
})

/** The name of the section that a change chooses. @throws Problem 400 for one that is not the seller's */
export async function sectionName(db: Database, seller: Id, change: BulkChange): Promise<string | null> {
  if (change.change !== 'section' || !change.section_id) return null
  await lockSection(db, seller, change)
  const section = await db
    .selectFrom('sections')
    .select('name')
    .where('id', '=', change.section_id)
    .executeTakeFirst()
  // Without a transaction the lock has ended.
  if (!section) throw new Problem(400, NOT_OWN)
  return section.name
}

export const anyOf = (ids: Id[]): RawBuilder<Id> => sql<Id>`any(${ids}::bigint[])`
