import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultBrand } from '#brand'
import { CATEGORIES, categoryPath } from '#products/categories.ts'
import { listingPath } from '#products/slug.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

const AT = 'https://thrum.example'
let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop({ settings: { PUBLIC_URL: AT } })
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const unescaped: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const plain = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => unescaped[name] ?? '')

/** The head of a document: title, canonical address, and every meta by its name. */
async function headOf(path: string, person: Person = shop.visitor(), headers = {}) {
  const { status, body } = await person.send({ method: 'GET', url: path, headers })
  const [head = ''] = /<head>.*?<\/head>/s.exec(body) ?? []
  const contents: Record<string, string> = {}
  for (const [, name = '', content = ''] of head.matchAll(
    /<meta (?:name|property)="([^"]*)" content="([^"]*)">/g,
  ))
    contents[name] = plain(content)
  const canonical = [...head.matchAll(/<link rel="canonical" href="([^"]*)">/g)].map(([, to = '']) =>
    plain(to),
  )
  return { status, head, title: plain(/<title>(.*)<\/title>/.exec(head)?.[1] ?? ''), canonical, contents }
}

test('meta tags of the landing page', async () => {
  const { title, canonical, contents } = await headOf('/')
  expect(title).toBe(`${defaultBrand.name} · ${defaultBrand.tagline}`)
  expect(canonical).toEqual([`${AT}/`])
  expect(contents).toMatchObject({
    description: defaultBrand.description,
    'og:site_name': defaultBrand.name,
    'og:type': 'website',
    'og:title': title,
    'og:url': `${AT}/`,
  })
  expect(contents.robots).toBeUndefined()
})

test('a listing has one canonical address, its readable one', async () => {
  const bowl = await shop.list(ana, { name: 'Blue bowl', description: 'Holds soup.' })
  for (const path of [`/products/${bowl.id}`, listingPath(bowl), `/products/${bowl.id}/?utm_source=x`]) {
    for (const person of [ana, shop.visitor()]) {
      const { title, canonical, contents } = await headOf(path, person)
      expect([title, canonical]).toEqual(['Blue bowl · Thrum', [`${AT}/products/${bowl.id}/blue-bowl`]])
      expect(contents).toMatchObject({
        description: 'Holds soup.',
        'og:type': 'product',
        'og:title': 'Blue bowl',
        'og:description': 'Holds soup.',
        'og:url': canonical[0],
      })
      expect(contents.robots).toBeUndefined()
    }
  }
})

test('every category has its own description and address', async () => {
  const heads = await Promise.all(CATEGORIES.map(category => headOf(categoryPath(category))))
  expect(heads.map(({ canonical }) => canonical)).toEqual(CATEGORIES.map(c => [AT + categoryPath(c)]))
  expect(new Set(heads.map(({ contents }) => contents.description)).size).toBe(CATEGORIES.length)
  expect((await headOf('/categories/home-living/')).canonical).toEqual([`${AT}/categories/home-living`])
})

test('unknown parameters are not part of the canonical address', async () => {
  const { canonical, contents } = await headOf('/?utm_source=letter&fbclid=1')
  expect([canonical, contents.robots]).toEqual([[`${AT}/`], undefined])
})

test('pages, filters and orders of a list are followed and not listed', async () => {
  for (let n = 0; n < 3; n++) await shop.list(ana)
  const cursor = (await ana.get('/api/products/?limit=1')).body.next_cursor
  for (const path of [`/?cursor=${cursor}`, `/categories/home-living?cursor=${cursor}&x=1`]) {
    const { status, canonical, contents } = await headOf(path)
    expect([status, canonical, contents.robots, contents['og:url']]).toEqual([200, [], 'noindex', undefined])
  }
})

test('search results are not listed, but have a picture and feeds', async () => {
  for (const query of ['', '?q=bowl', '?q=bowl&category=Home+%26+Living&min=1']) {
    const { status, head, canonical, contents } = await headOf(`/search${query}`)
    expect([status, canonical, contents.robots, contents['og:url']]).toEqual([200, [], 'noindex', undefined])
    expect(contents['og:image']).toMatch(/^https:\/\/thrum\.example\/share\/shop\//)
    expect(plain(head)).toContain(`href="${AT}/feeds/listings.atom${query}"`)
  }
})

test('private and unknown pages are not listed', async () => {
  const { id } = await shop.list(ana)
  for (const path of [
    '/cart',
    '/confirm-email?token=x',
    '/favourites',
    '/forgot-password',
    '/reset-password?token=x',
    '/letters/off/7.review.x',
    '/login',
    '/notifications',
    '/settings/shop',
    '/settings/policies',
    '/settings/security',
    '/settings/account',
    '/settings/account/delete',
    '/settings/letters',
    '/settings/notices',
    '/settings/seller',
    `/report?listing=${id}`,
    '/operate',
    '/operate/pages',
    '/operate/pages/about',
    '/operate/brand',
    '/setup/x',
    '/about',
    '/import',
    '/import/photos',
    '/settings/addresses',
    '/settings/postage',
    '/settings/sections',
    '/settings/holiday',
    '/signup',
    '/your-listings',
    '/orders/view',
    '/products/new',
    `/products/${id}/edit`,
    `/products/${id}/create-review`,
    `/products/${id}/reviews`,
    '/nothing',
    '/products/9999999',
    '/categories/x',
  ]) {
    for (const person of [ana, shop.visitor()]) {
      const { status, canonical, contents } = await headOf(path, person)
      if (status === 302) continue
      expect([path, canonical, contents.robots]).toEqual([path, [], 'noindex'])
      expect(Object.keys(contents).filter(name => name.startsWith('og:'))).toEqual([])
    }
  }
})

test.each([
  '</title><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  `'"&amp;&#39;<!--`,
  '🧶 <b>wool</b> 👨‍👩‍👧‍👦',
  '\u202eevil\u202c كأس \u2066x',
  '𝕏'.repeat(50),
  "'".repeat(50),
  '{{7*7}} <%= 7 %>',
])('the name %j of a listing is escaped in the head', async name => {
  const listing = await shop.list(ana, { name, description: name.repeat(5).slice(0, 200).toWellFormed() })
  const { status, head, title, contents, canonical } = await headOf(`/products/${listing.id}`)
  expect([status, title]).toEqual([200, `${listing.name} · Thrum`])
  expect([contents['og:title'], contents['og:description']]).toEqual([listing.name, listing.description])
  expect(canonical).toEqual([AT + listingPath(listing)])
  expect(head).not.toMatch(/<(script(?! type="application\/ld\+json">)|img|b|!--)/)
})

test('without a setting the address is the request’s, and not cached for other hosts', async () => {
  const plain = await openShop()
  try {
    const canonicalFor = async (host: string) => {
      const { body } = await plain.visitor().get('/', { host })
      return /<link rel="canonical" href="([^"]*)">/.exec(body)?.[1]
    }
    for (let round = 0; round < 2; round++) {
      expect(await canonicalFor('thrum.example:3000')).toBe('http://thrum.example:3000/')
      expect(await canonicalFor('evil.example')).toBe('http://evil.example/')
      expect(await canonicalFor('x"><script>alert(1)</script>')).not.toMatch(/script/)
    }
  } finally {
    await plain.close()
  }
})

test('PUBLIC_URL is the address, for any Host header', async () => {
  for (const host of ['evil.example', 'thrum.example:9'])
    expect((await headOf('/', shop.visitor(), { host })).canonical).toEqual([`${AT}/`])
})

test.each([
  ['/', 1],
  ['/search', 1],
  ['/cart', 1],
  ['/makers', 2],
  ['/products/new', 2],
  ['/settings/shop', 2],
  ['/orders', 2],
])('the document of %s links %i of the two stylesheets', async (path, count) => {
  const { status, head } = await headOf(path, ana)
  expect(status).toBe(200)
  expect([...head.matchAll(/<link rel="stylesheet" href="\/assets\/(style|more)-/g)]).toHaveLength(count)
})
