import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { save } from '#pages/pages.ts'
import { CATEGORIES, categoryPath } from '#products/categories.ts'
import { listingPath } from '#products/slug.ts'
import { expectRefusal } from '../../../test/support/expect.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

const AT = 'https://thrum.example'
let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop({ settings: { PUBLIC_URL: AT } })
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const parser = new XMLParser({
  isArray: name => ['url', 'sitemap', 'Url'].includes(name),
  ignoreAttributes: false,
})
async function read(path: string) {
  const { status, body, headers } = await shop.visitor().get(path)
  expect([path, status]).toEqual([path, 200])
  expect(headers['content-type']).toMatch(/^application\/(\w+\+)?xml; charset=utf-8$/)
  expect(XMLValidator.validate(body)).toBe(true)
  return parser.parse(body)
}
interface Location {
  loc: string
  lastmod?: string
}
const locations = async (path: string): Promise<Location[]> => (await read(path)).urlset.url
/** Every address of every part. */
async function everything() {
  const { sitemapindex } = await read('/sitemap.xml')
  const parts = sitemapindex.sitemap.map(({ loc }: Location) => loc.slice(AT.length))
  return { parts, all: (await Promise.all(parts.map(locations))).flat() }
}

test('the sitemap has the landing page, categories, every listing and seller, and nothing else', async () => {
  await shop.signUp('idle')
  const bowl = await shop.list(ana, { name: 'Blue bowl' })
  const gone = await shop.list(ana, { name: 'Gone' })
  await ana.delete(`/api/products/${gone.id}`)
  const { parts, all } = await everything()
  expect(parts).toEqual(['pages', 'listings-0', 'makers-0'].map(part => `/sitemaps/${part}.xml`))
  const paths = [
    '/',
    '/makers',
    ...CATEGORIES.map(categoryPath),
    listingPath(bowl),
    `/shops/${ana.user.username}`,
  ]
  expect(all.map(({ loc }) => loc)).toEqual(paths.map(path => AT + path))
  for (const path of paths) {
    const { body } = await shop.visitor().get(path)
    expect(body).toContain(`<link rel="canonical" href="${AT}${path}">`)
    expect(body).not.toContain('noindex')
    // Only a heading: not listed.
    expect(body).not.toMatch(/href="[^"]*\/reviews["/?#]/)
  }
})

test('the sitemap has published pages about the shop, and no drafts', async () => {
  const otto = await openOperator(shop)
  const pages = async () => (await locations('/sitemaps/pages.xml')).map(({ loc }) => loc)
  const { id } = await save(shop.db, otto.user.id, 'terms', { text: 'Be kind.', base: null })
  expect(await pages()).not.toContain(`${AT}/terms`)
  await otto.post('/api/operate/pages/terms/publish', { version: id, reason: 'The meeting' })
  expect(await pages()).toContain(`${AT}/terms`)
  await otto.post('/api/operate/pages/terms/take-back', { reason: 'It is old' })
  expect(await pages()).not.toContain(`${AT}/terms`)
})

test('a listing’s date follows its text and price, not its sales', async () => {
  const mug = await shop.list(ana, { name: 'Green mug', stock: 5 })
  const changed = async () =>
    (await locations('/sitemaps/listings-0.xml')).find(({ loc }) => loc.includes('green-mug'))?.lastmod
  expect(await changed()).toBe(mug.created_at)
  await ana.put(`/api/products/${mug.id}`, { ...mug, stock: 4, stock_shown: 5 })
  expect(await changed()).toBe(mug.created_at)
  await ana.put(`/api/products/${mug.id}`, { ...mug, price: 30, stock: 4 })
  const after = await changed()
  expect(Date.parse(after!)).toBeGreaterThan(Date.parse(mug.created_at))
  await ana.put(`/api/products/${mug.id}`, { ...mug, price: 30, stock: 4 })
  expect(await changed()).toBe(after)
})

test('pages link their feeds, which exist', async () => {
  for (const [path, query] of [
    ['/', ''],
    ['/?sort=newest', ''],
    [`/shops/${ana.user.username}`, `?seller=${ana.user.username}`],
    ['/categories/home-living', '?category=Home+%26+Living'],
  ] as const) {
    const { body } = await shop.visitor().get(path)
    const feeds = [
      ...body.matchAll(/<link rel="alternate" type="application\/(\S+)" title="[^"]+" href="([^"]+)">/g),
    ]
    expect(feeds.map(([, type, href]) => [type, href])).toEqual([
      ['atom+xml', `${AT}/feeds/listings.atom${query}`],
      ['feed+json', `${AT}/feeds/listings.json${query}`],
    ])
    for (const [, , href = ''] of feeds)
      expect((await shop.visitor().get(href.slice(AT.length))).status).toBe(200)
  }
})

test('unknown parts answer 404', async () => {
  for (const part of [
    'makers-99.xml',
    'constructor-0.xml',
    'listings-99.xml',
    'listings-01.xml',
    'listings--1.xml',
    'listings-1e9.xml',
    'x.xml',
    '%2e%2e%2fx',
  ])
    expectRefusal(await ana.get(`/sitemaps/${part}`), 404, 'There is no such part of the sitemap')
})

test('robots.txt has the private paths and the sitemap', async () => {
  const { body } = await shop.visitor().get('/robots.txt')
  expect(body).toContain(`\nSitemap: ${AT}/sitemap.xml\n`)
  const rules: RegExp[] = [...body.matchAll(/^Disallow: (.+)$/gm)].map(
    ([, rule = '']) => new RegExp(`^${rule.replace(/[.+?^()|[\]\\{}]/g, '\\$&').replaceAll('*', '.*')}`),
  )
  const allowed = (path: string) => !rules.some(rule => rule.test(path))
  const { id } = await shop.list(ana, { name: 'Edit' })
  for (const path of [
    '/cart',
    '/confirm-email',
    '/favourites',
    '/forgot-password',
    '/reset-password?token=x',
    '/letters/off/7.review.x',
    '/login',
    '/notifications',
    '/orders',
    '/orders/view',
    '/sold/7',
    '/messages/to/ana',
    '/drafts',
    '/import/photos',
    '/operate/pages',
    '/setup/x',
    '/settings/shop',
    '/signup',
    '/your-listings',
    '/api/products/',
    '/products/new',
    `/products/${id}/edit`,
  ])
    expect([path, allowed(path)]).toEqual([path, false])
  const { all } = await everything()
  for (const { loc } of all) expect([loc, allowed(loc.slice(AT.length))]).toEqual([loc, true])
  for (const path of [
    '/feeds/listings.atom',
    '/images/0/320.webp',
    '/search?q=mug',
    `/products/${id}/edit-handmade`,
  ])
    expect([path, allowed(path)]).toEqual([path, true])
})

test('browsers can add the shop’s search', async () => {
  const { OpenSearchDescription: description } = await read('/opensearch.xml')
  expect(description.ShortName).toBe('Thrum')
  const templates = description.Url.map((url: Record<string, string>) => [url['@_type'], url['@_template']])
  expect(templates).toContainEqual(['text/html', `${AT}/search?q={searchTerms}`])
  const feed = templates.find(([type]: string[]) => type === 'application/atom+xml')[1]
  expect((await shop.visitor().get(feed.slice(AT.length).replace('{searchTerms}', 'mug'))).status).toBe(200)
  expect((await shop.visitor().get('/')).body).toContain('title="Thrum" href="/opensearch.xml"')
})

// Adds rows that belong to no seller.

test('ids beyond 50,000 are in further parts, empty ones are left out, and nothing is lost or repeated', async () => {
  const insertListing = (id: number) =>
    sql`insert into products (id, seller_id, name, category, description, price_cents)
      values (${id}, ${ana.user.id}, ${`Piece ${id}`}, 'Home & Living', 'Far away.', 100)`.execute(shop.db)
  const distantIds = [50_000, 50_001, 100_000, 100_001, 200_001]
  for (const id of distantIds) await insertListing(id)
  shop.app.cache.invalidateAll()
  const { parts, all } = await everything()
  expect(parts).toEqual(
    ['pages', 'listings-0', 'listings-1', 'listings-2', 'listings-4', 'makers-0'].map(
      part => `/sitemaps/${part}.xml`,
    ),
  )
  const urls = all.map(({ loc }) => loc)
  expect(new Set(urls).size).toBe(urls.length)
  for (const id of distantIds) expect(urls).toContain(`${AT}/products/${id}/piece-${id}`)
  const inPart = async (part: number) =>
    (await locations(`/sitemaps/listings-${part}.xml`)).map(({ loc }) => loc)
  expect(await inPart(1)).toEqual([50_001, 100_000].map(id => `${AT}/products/${id}/piece-${id}`))
})

test('a long part is streamed in steps', async () => {
  for (let from = 300_001; from < 301_200; from += 300)
    await sql`insert into products (id, seller_id, name, category, description, price_cents)
      select n, ${ana.user.id}, 'Piece ' || n, 'Home & Living', 'One of many.', 100
      from generate_series(${from}::bigint, ${from + 299}::bigint) n`.execute(shop.db)
  const urls = await locations('/sitemaps/listings-6.xml')
  expect(new Set(urls.map(({ loc }) => loc)).size).toBe(1_200)
  expect(urls).toHaveLength(1_200)
})
