import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { prefixPattern } from '#platform/database/like.ts'
import { CATEGORIES } from '#products/categories.ts'
import type { Listing } from '#products/contract.ts'
import { makerName, shopSays } from '#products/maker-name.ts'
import { find, listings, view } from '#products/products.ts'
import { list } from './catalogue.ts'
import type { Suggestions } from './contract.ts'

/** Suggestions of each kind. */
const LISTINGS = 6
const MAKERS = 3
const SIMILAR = 7
/** Candidates per kind. */
const CONSIDERED = 60

/** Suggestions for a typed prefix. */
export async function suggest(db: Database, typed: string): Promise<Suggestions> {
  const start = typed.toLowerCase()
  const [{ products }, makers] = await Promise.all([
    list(db, { q: typed, limit: LISTINGS }),
    start.length > 1 ? makersNamed(db, start) : [],
  ])
  // Matches the beginning of any word.
  const matchesPrefix = (category: string) => ` ${category.toLowerCase()}`.includes(` ${start}`)
  return {
    listings: products.map(({ id, name, price, price_varies, images }) => ({
      ...{ id, name, price, price_varies, image: images[0] ?? null },
    })),
    makers,
    categories: CATEGORIES.filter(matchesPrefix),
  }
}

/** Sellers whose shop has a name with words that begin so, then those whose username does, or the own name if they show it. */
async function makersNamed(db: Database, start: string): Promise<Suggestions['makers']> {
  const like = prefixPattern(start)
  const [first = '', ...rest] = start.split(' ')
  const sellers = db
    .selectFrom('users as u')
    .select(['u.id', 'u.username', 'u.first_name', 'u.last_name'])
    .where(eb =>
      eb.exists(eb.selectFrom('catalogue as c').select('c.product_id').whereRef('c.seller_id', '=', 'u.id')),
    )
    .orderBy(sql`lower(u.username)`)
    .limit(MAKERS)
  // Materialized, so that an index finds rare words too.
  const ofShop = sellers.where(
    'u.id',
    '=',
    sql<Id>`any(array(
      with shop as materialized (select m.user_id as id from shops as m where ${shopSays('m.name', start)})
      select id from shop limit ${CONSIDERED}
    ))`,
  )
  const ofPerson = sellers.where(eb =>
    eb.or([
      eb(sql`lower(u.username)`, 'like', like),
      eb
        .or([
          eb(sql`lower(u.first_name)`, 'like', like),
          eb(sql`lower(u.last_name)`, 'like', like),
          eb(sql`lower(u.first_name)`, '=', first).and(
            sql`lower(u.last_name)`,
            'like',
            prefixPattern(rest.join(' ')),
          ),
        ])
        .and(
          eb.exists(
            eb
              .selectFrom('shops as m')
              .select('m.user_id')
              .whereRef('m.user_id', '=', 'u.id')
              .where('m.shows_name', '=', true),
          ),
        ),
    ]),
  )
  // Two statements: joined by an `or`, they would read every seller of either.
  const named = (found: typeof sellers) =>
    db
      .selectFrom(found.as('u'))
      .leftJoin('shops as m', 'm.user_id', 'u.id')
      .select(['u.username', makerName.as('name')])
      .orderBy(sql`lower(u.username)`)
      .execute()
  const [byShop, byPerson] = await Promise.all([named(ofShop), named(ofPerson)])
  const all = new Map([...byShop, ...byPerson].map(maker => [maker.username, maker]))
  return [...all.values()].slice(0, MAKERS)
}

/**
 * Similar listings in stock: a common word in the name counts three, the same seller two, the same category one;
 * ties: newer first. Only the newest of each kind are considered, so that large shops are as fast as small ones.
 * @throws Problem 404 if there is no such listing
 */
export async function similar(db: Database, id: Id): Promise<Listing[]> {
  const { name, category, seller_id } = await find(db, id)
  const newest = (condition: ReturnType<typeof sql>) => sql`(
    select c.product_id from catalogue as c where ${condition} and c.in_stock and c.product_id <> ${id}
    order by c.created_at desc, c.product_id desc limit ${CONSIDERED})`
  const stems = sql`name_stems(${name})`
  // 'blue' or 'mug' of a blue mug.
  const anyOf = sql`(select coalesce(string_agg(quote_literal(stem), '|'), '')::tsquery from unnest(${stems}) as stem)`
  const similarRows = sql<{ product_id: Id; score: number }>`(
    select c.product_id,
      3 * cardinality(array(select unnest(tsvector_to_array(c.stems)) intersect select unnest(${stems})))
      + case when c.seller_id = ${seller_id} then 2 else 0 end
      + case when c.category = ${category} then 1 else 0 end as score
    from catalogue as c
    where c.product_id in (
      ${newest(sql`c.stems @@ ${anyOf}`)}
      union all ${newest(sql`c.seller_id = ${seller_id}`)}
      union all ${newest(sql`c.category = ${category}`)}
    )
    order by score desc, c.created_at desc, c.product_id desc
    limit ${SIMILAR})`
  const rows = await listings(db)
    .innerJoin(similarRows.as('c'), 'c.product_id', 'p.id')
    .orderBy('c.score', 'desc')
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
    .execute()
  return rows.map(view)
}
