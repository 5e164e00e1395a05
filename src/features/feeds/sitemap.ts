import { sql } from 'kysely'
import { published } from '#pages/pages.ts'
import type { Database } from '#platform/database/database.ts'
import { limitConcurrency } from '#platform/http/concurrency-limit.ts'
import { CATEGORIES, categoryPath } from '#products/categories.ts'
import { listingPath } from '#products/slug.ts'
import { documentOf, element, escaped, type Xml } from './xml.ts'

/**
 * Range of ids in one part. So no part exceeds the limit of search engines (https://www.sitemaps.org/protocol.html),
 * and no address moves to another part. With 150 characters each, a part stays far below 50 MB.
 */
const IDS = 50_000
/** Rows per query. */
const ROWS = 1_000
const XMLNS = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Robots share one database connection. */
const limited = limitConcurrency({
  name: 'sitemaps',
  maxRunning: 1,
  maxWaiting: 50,
  busy: 'The sitemap is being read by many; please come back later',
})

/** A page in the sitemap, ordered by id. */
interface SitemapUrl {
  id: number
  path: string
  /** Last change, if known. */
  changed?: Date
}

/** For each kind: its pages between two ids, and its parts that are not empty. */
const kinds = {
  listings: { urls: listingsBetween, parts: listingParts },
  makers: { urls: makersBetween, parts: makerParts },
}
export type Kind = keyof typeof kinds
export const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name)

/** The sitemap index. */
export async function index(db: Database, origin: string): Promise<string> {
  const names = ['pages']
  for (const [kind, { parts }] of Object.entries(kinds))
    names.push(...(await limited(() => parts(db))).map(part => `${kind}-${part}`))
  const parts = names.map(name =>
    element('sitemap', {}, element('loc', {}, `${origin}/sitemaps/${name}.xml`)),
  )
  return documentOf(element('sitemapindex', { xmlns: XMLNS }, ...parts))
}

/** The front page, the makers, the categories, and the published pages about the shop. */
export async function pages(db: Database, origin: string): Promise<string> {
  const about = (await published(db)).map(({ slug }) => `/${slug}`)
  const paths = ['/', '/makers', ...CATEGORIES.map(categoryPath), ...about]
  return documentOf(
    element('urlset', { xmlns: XMLNS }, ...paths.map(path => location(origin, { id: 0, path }))),
  )
}

/** One part as a stream, read as fast as it is sent. Undefined if it would be empty. */
export async function part(
  db: Database,
  origin: string,
  kind: Kind,
  number: number,
): Promise<AsyncIterable<string> | undefined> {
  const next = (id: number) => limited(() => kinds[kind].urls(db, id, (number + 1) * IDS))
  const first = await next(number * IDS)
  return first.length > 0 ? written(origin, first, next) : undefined
}

async function* written(
  origin: string,
  first: SitemapUrl[],
  next: (id: number) => Promise<SitemapUrl[]>,
): AsyncGenerator<string> {
  const [head = '', foot = ''] = documentOf(element('urlset', { xmlns: XMLNS }, { xml: '\n' })).split('\n</')
  yield head
  for (let urls = first; urls.length > 0; urls = await next(urls.at(-1)?.id ?? 0))
    yield `\n${urls.map(url => location(origin, url).xml).join('\n')}`
  yield `\n</${foot}`
}

async function listingsBetween(db: Database, after: number, last: number): Promise<SitemapUrl[]> {
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

/** Sellers with listings. */
async function makersBetween(db: Database, after: number, last: number): Promise<SitemapUrl[]> {
  const { rows } = await sql<{ id: number; username: string }>`
    select id, username from users u where id > ${after} and id <= ${last}
    and exists (select from products where seller_id = u.id and deleted_at is null)
    order by id limit ${ROWS}`.execute(db)
  return rows.map(({ id, username }) => ({ id, path: `/shops/${encodeURIComponent(username)}` }))
}

/** Numbers of the parts with listings: one index lookup each. */
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

/** Concatenated, because there are a million of them. */
const location = (origin: string, { path, changed }: SitemapUrl): Xml => {
  const lastmod = changed ? `<lastmod>${changed.toISOString()}</lastmod>` : ''
  return { xml: `<url><loc>${escaped(origin + path)}</loc>${lastmod}</url>` }
}
