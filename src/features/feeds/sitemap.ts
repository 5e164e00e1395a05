import { sql } from 'kysely'
import type { Database } from '#platform/database/database.ts'
import { limitConcurrency } from '#platform/http/concurrency-limit.ts'
import { CATEGORIES, categoryAddress } from '#products/categories.ts'
import { listingPath } from '#products/slug.ts'
import { documentOf, element, escaped, type Xml } from './xml.ts'

/**
 * Ids of one part. No part can have more addresses than that, which is as many as search engines take
 * (https://www.sitemaps.org/protocol.html), and none moves to another part. At 150 characters and the shop's address
 * each they stay far below 50 MB.
 */
const IDS = 50_000
/** Rows that are read at a time. */
const ROWS = 1_000
const XMLNS = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** However many robots come, one connection to the database is theirs. */
const inTurn = limitConcurrency({
  name: 'sitemaps',
  atOnce: 1,
  waiting: 50,
  busy: 'The sitemap is being read by many; please come back later',
})

/** A page that a robot is led to, with its place in the order of ids. */
interface Place {
  id: number
  path: string
  /** When it last changed, where that is known. */
  changed?: Date
}

/** What parts tell of: for each, the next places between two ids, and the parts that have any. */
const kinds = {
  listings: { places: listingsBetween, parts: listingParts },
  makers: { places: makersBetween, parts: makerParts },
}
export type Kind = keyof typeof kinds
export const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name)

/** The index of all parts. */
export async function index(db: Database, at: string): Promise<string> {
  const names = ['pages']
  for (const [kind, { parts }] of Object.entries(kinds))
    names.push(...(await inTurn(() => parts(db))).map(part => `${kind}-${part}`))
  const parts = names.map(name => element('sitemap', {}, element('loc', {}, `${at}/sitemaps/${name}.xml`)))
  return documentOf(element('sitemapindex', { xmlns: XMLNS }, ...parts))
}

/** The pages that are always there. */
export function pages(at: string): string {
  const paths = ['/', ...CATEGORIES.map(categoryAddress)]
  return documentOf(element('urlset', { xmlns: XMLNS }, ...paths.map(path => location(at, { id: 0, path }))))
}

/** One part, text after text, read as fast as it is sent. Undefined where it would be empty. */
export async function part(
  db: Database,
  at: string,
  kind: Kind,
  number: number,
): Promise<AsyncIterable<string> | undefined> {
  const next = (id: number) => inTurn(() => kinds[kind].places(db, id, (number + 1) * IDS))
  const first = await next(number * IDS)
  return first.length > 0 ? written(at, first, next) : undefined
}

async function* written(
  at: string,
  first: Place[],
  next: (id: number) => Promise<Place[]>,
): AsyncGenerator<string> {
  const [head = '', foot = ''] = documentOf(element('urlset', { xmlns: XMLNS }, { xml: '\n' })).split('\n</')
  yield head
  for (let places = first; places.length > 0; places = await next(places.at(-1)?.id ?? 0))
    yield `\n${places.map(place => location(at, place).xml).join('\n')}`
  yield `\n</${foot}`
}

async function listingsBetween(db: Database, after: number, last: number): Promise<Place[]> {
  const rows = await db
    .selectFrom('products')
    .select(['id', 'name', sql<Date>`coalesce(changed_at, created_at)`.as('changed')])
    .where('id', '>', after)
    .where('id', '<=', last)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(ROWS)
    .execute()
  return rows.map(row => ({ id: row.id, path: listingPath(row), changed: row.changed }))
}

/** Those who have something listed. */
async function makersBetween(db: Database, after: number, last: number): Promise<Place[]> {
  const { rows } = await sql<{ id: number; username: string }>`
    select id, username from users u where id > ${after} and id <= ${last}
    and exists (select from products where seller_id = u.id and deleted_at is null)
    order by id limit ${ROWS}`.execute(db)
  return rows.map(({ id, username }) => ({ id, path: `/shops/${encodeURIComponent(username)}` }))
}

/** Numbers of the parts in which something is listed: one look into the index for each. */
async function listingParts(db: Database): Promise<number[]> {
  const { rows } = await sql<{ part: number }>`
    select part::int from generate_series(0, (select max(id) / ${IDS} from products)) part
    where exists (select from products where id > part * ${IDS} and id <= (part + 1) * ${IDS} and deleted_at is null)
    order by part`.execute(db)
  return rows.map(({ part }) => part)
}

async function makerParts(db: Database): Promise<number[]> {
  const { rows } = await sql<{ part: number }>`
    select part::int from generate_series(0, (select max(id) / ${IDS} from users)) part
    where exists (
      select from users u where id > part * ${IDS} and id <= (part + 1) * ${IDS}
      and exists (select from products where seller_id = u.id and deleted_at is null))
    order by part`.execute(db)
  return rows.map(({ part }) => part)
}

/** Written by hand, because there are a million of them. */
const location = (at: string, { path, changed }: Place): Xml => {
  const lastmod = changed ? `<lastmod>${changed.toISOString()}</lastmod>` : ''
  return { xml: `<url><loc>${escaped(at + path)}</loc>${lastmod}</url>` }
}
