import { type RawBuilder, sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { type Id, LIST_LIMIT } from '#contract'
import { imageColumns, imageDto } from '#images/dto.ts'
import { decodeCursor, pageOf } from '#platform/database/cursor.ts'
import type { Database } from '#platform/database/database.ts'
import { prefixPattern } from '#platform/database/like.ts'
import { planEachTime } from '#platform/database/observed-client.ts'
import { makerName, shopSays } from '#products/maker-name.ts'
import type { MakersPage, MakersQuery } from './directory-contract.ts'

// The best index depends on the words.
planEachTime('matching')

/** Most matches of a filter that are read as a set. With more, an index scan over sellers fills a page sooner. */
const FEW = 10_000

/** An id above all others: the first page begins below it. */
const BEFORE_ALL = Number.MAX_SAFE_INTEGER

/**
 * Makers with public listings, the newest account first.
 * @param few with so many matches of each filter, an index scan over sellers replaces reading all matches
 * @throws Problem 400 for an invalid cursor
 */
export async function list(
  db: Database,
  { limit = LIST_LIMIT, cursor, ...filters }: MakersQuery,
  few = FEW,
): Promise<MakersPage> {
  const before = cursor === undefined ? BEFORE_ALL : Number(decodeCursor(cursor, /^(\d{1,15})$/)[0])
  const ids = await idsOf(db, filters, { before, most: limit + 1, few })
  const rows = await db
    .selectFrom('users as u')
    .leftJoin('shops as m', 'm.user_id', 'u.id')
    .select(['u.id', 'u.username', 'm.name', 'm.place', 'm.words', makerName.as('display_name')])
    .select(eb =>
      jsonObjectFrom(
        eb
          .selectFrom('images as i')
          .select(['i.id', ...imageColumns])
          .whereRef('i.id', '=', 'm.image_id'),
      ).as('picture'),
    )
    .where('u.id', '=', sql<Id>`any(${ids})`)
    .orderBy('u.id', 'desc')
    .execute()
  const { page, next_cursor } = pageOf(rows, limit, last => [last.id])
  return {
    makers: page.map(({ name, place, words, picture, ...maker }) => ({
      ...maker,
      name: name ?? '',
      place: place ?? '',
      words: words ?? '',
      picture: picture && imageDto(picture),
    })),
    next_cursor,
  }
}

/**
 * A filter. `ids`: SQL that finds all its makers by an index. `holds`: SQL condition on one of `users as u` and
 * `shops as m`.
 */
interface Filter {
  ids: RawBuilder<unknown>
  holds: RawBuilder<unknown>
}

/** SQL: an array of the next ids. */
async function idsOf(
  db: Database,
  { q, place, category }: Pick<MakersQuery, 'q' | 'place' | 'category'>,
  { before, most, few }: { before: Id; most: number; few: number },
): Promise<RawBuilder<Id[]>> {
  const filters: Filter[] = [
    ...(q === undefined ? [] : [{ ids: called(q, before), holds: isCalled(q) }]),
    ...(place === undefined ? [] : [{ ids: placed(place, before), holds: shopSays('m.place', place) }]),
  ]
  const set = filters.length > 0 ? await fewest(db, filters, few) : undefined
  const candidates = set ? sorted(set.ids) : sellersBefore(before, category)
  const others = filters.filter(filter => filter !== set?.filter).map(({ holds }) => sql` and ${holds}`)
  // Lateral with a limit: one candidate after the other, until the page is full.
  return sql`array(
    with recursive candidate as (${candidates})
    select candidate.id from candidate
    cross join lateral (
      select from users as u left join shops as m on m.user_id = u.id
      where u.id = candidate.id ${sql.join(others, sql``)} and exists (
        select from catalogue as c where c.seller_id = u.id and ${isOfCraft(category)}
      )
      limit 1
    ) as fitting
    where candidate.id is not null
    limit ${most}
  )`
}

/** The filter with the fewest matches, and their ids. Undefined if each has `few` or more. */
async function fewest(
  db: Database,
  filters: Filter[],
  few: number,
): Promise<{ filter: Filter; ids: Id[] } | undefined> {
  const found = filters.map(
    ({ ids }) => sql`array(with matching as (${ids}) select id from matching limit ${few})`,
  )
  const { rows } = await sql<{ found: Id[][] }>`select json_build_array(${sql.join(found)}) as found`.execute(
    db,
  )
  const sets = filters.map((filter, n) => ({ filter, ids: rows[0]?.found[n] ?? [] }))
  return sets.filter(({ ids }) => ids.length < few).sort((a, b) => a.ids.length - b.ids.length)[0]
}

const sorted = (ids: Id[]) => sql`select distinct id from unnest(${ids}::bigint[]) as id order by id desc`

const isOfCraft = (category: string | undefined) =>
  category === undefined ? sql`true` : sql`c.category = ${category}`

/**
 * SQL: seller ids by a loose index scan: one index lookup per seller, however many listings they have. The last row
 * is null.
 */
const sellersBefore = (before: Id, category: string | undefined) => sql`
  select (select max(seller_id) from catalogue as c where ${isOfCraft(category)} and seller_id < ${before}) as id
  union all
  select (select max(seller_id) from catalogue as c where ${isOfCraft(category)} and seller_id < candidate.id)
  from candidate where id is not null`

/** SQL: whether the username, shop name or, where it is shown, own name of `users as u` and `shops as m` begins like this. */
const isCalled = (q: string) => sql`(
  lower(u.username) like ${beginning(q)} or (${shopSays('m.name', q)}) or (m.shows_name and ${isNamed(q)})
)`
const isNamed = (q: string) => sql`(
  lower(u.last_name) like ${beginning(q)}
  or (lower(u.first_name) like ${beginning(firstWord(q))} and lower(u.first_name || ' ' || u.last_name) like ${beginning(q)})
)`

/**
 * SQL: ids of makers with this name, or in this place, by one index for each column. An id may come twice.
 * Materialized: with a limit, the planner would scan makers one by one, expecting many matches.
 */
const called = (q: string, before: Id) => sql`
  with username as materialized (
    select u.id from users as u where lower(u.username) like ${beginning(q)} and u.id < ${before}
  ), shop as materialized (
    select m.user_id as id from shops as m where ${shopSays('m.name', q)} and m.user_id < ${before}
  ), person as materialized (
    select u.id from users as u where ${isNamed(q)} and u.id < ${before}
  )
  select id from username
  union all select id from shop
  union all select id from person where exists (select from shops where user_id = id and shows_name)`
const placed = (place: string, before: Id) => sql`
  with shop as materialized (
    select m.user_id as id from shops as m where ${shopSays('m.place', place)} and m.user_id < ${before}
  )
  select id from shop`

const firstWord = (q: string) => q.split(/\s+/)[0] ?? ''
const beginning = (text: string) => prefixPattern(text.toLowerCase())
