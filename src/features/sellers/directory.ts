import { type RawBuilder, sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { type Id, LIST_LIMIT } from '#contract'
import { imageColumns, imageDto } from '#images/dto.ts'
import { decodeCursor, encodeCursor } from '#platform/database/cursor.ts'
import type { Database } from '#platform/database/database.ts'
import { makerName, shopsWith } from '#products/maker-name.ts'
import type { MakersPage, MakersQuery } from './directory-contract.ts'

/** Above every id. */
const BEFORE_ALL = Number.MAX_SAFE_INTEGER

/**
 * Makers with listings that everybody sees, who signed up last first.
 * @throws Problem 400 for an invalid cursor
 */
export async function list(
  db: Database,
  { limit = LIST_LIMIT, cursor, ...filters }: MakersQuery,
): Promise<MakersPage> {
  const before = cursor === undefined ? BEFORE_ALL : Number(decodeCursor(cursor, /^(\d{1,15})$/)[0])
  const ids = idsOf(filters, before, limit + 1)
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
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    makers: page.map(({ name, place, words, picture, ...maker }) => ({
      ...maker,
      name: name ?? '',
      place: place ?? '',
      words: words ?? '',
      picture: picture && imageDto(picture),
    })),
    next_cursor: rows.length > limit && last ? encodeCursor(last.id) : null,
  }
}

/** SQL: an array of the next ids. */
function idsOf(
  { q, place, category }: Pick<MakersQuery, 'q' | 'place' | 'category'>,
  before: Id,
  most: number,
): RawBuilder<Id[]> {
  const ofCraft = category === undefined ? sql`true` : sql`c.category = ${category}`
  if (q === undefined && place === undefined) return everyone(ofCraft, before, most)
  const conditions = [
    ...(place === undefined ? [] : [sql`id in (${shopsWith('place', place)})`]),
    ...(q === undefined ? [] : [sql`id in (${called(q)})`]),
  ]
  return sql`array(
    select id from users
    where ${sql.join(conditions, sql` and `)} and id < ${before}
      and exists (select from catalogue as c where c.seller_id = users.id and ${ofCraft})
    order by id desc limit ${most}
  )`
}

/** SQL: from one maker to the next in an index, however many listings each has. */
const everyone = (ofCraft: RawBuilder<unknown>, before: Id, most: number): RawBuilder<Id[]> => sql`array(
  with recursive maker as (
    select (select max(seller_id) from catalogue as c where ${ofCraft} and seller_id < ${before}) as id
    union all
    select (select max(seller_id) from catalogue as c where ${ofCraft} and seller_id < maker.id)
    from maker where id is not null
  )
  select id from maker where id is not null limit ${most}
)`

/** SQL: ids of makers whose username, shop name or, where it is shown, own name begins like this. */
const called = (q: string) => sql`
  select id from users where lower(username) like ${beginning(q)}
  union ${shopsWith('name', q)}
  union select id from users
    where (lower(first_name) like ${beginning(firstWord(q))} or lower(last_name) like ${beginning(q)})
      and (lower(first_name || ' ' || last_name) like ${beginning(q)} or lower(last_name) like ${beginning(q)})
      and exists (select from shops where user_id = users.id and shows_name)`

const firstWord = (q: string) => q.split(/\s+/)[0] ?? ''
const beginning = (text: string) => `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
