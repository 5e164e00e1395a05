import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultBrand } from '#brand'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let page: string
beforeAll(async () => {
  shop = await openShop()
  page = (await shop.visitor().get('/')).body
})
afterAll(() => shop.close())

const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_A_DAY = 'public, max-age=86400'
const assets = join(import.meta.dirname, '../../../assets')

test('assets are served; cached for ever with a hash in the name, otherwise for a day', async () => {
  const scripts = /data-scripts="([^"]+)"/.exec(page)![1]!.split(' ')
  const linked = page.matchAll(/(?:href|src)="(\/(?:assets\/|favicon|manifest)[^"#]*)/g)
  const links = [...scripts, ...[...linked].map(([, to]) => to!)]
  expect(links.length).toBeGreaterThan(8)
  for (const link of links) {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const { status, headers } = await shop.visitor().get(link, { 'accept-encoding': encoding })
      const plain = link.startsWith('/assets/') ? existsSync(join(assets, link.slice(8))) : true
      expect([link, status, headers['cache-control']]).toEqual([link, 200, plain ? FOR_A_DAY : FOR_EVER])
    }
  }
})

test('the drawings are cached for ever', async () => {
  const [drawings] = /\/assets\/drawings-[\w-]+\.svg/.exec(page) ?? []
  const { status, headers } = await shop.visitor().get(drawings ?? '')
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'image/svg+xml',
    FOR_EVER,
  ])
})

test('the icon may adapt to dark mode, and contains no script', async () => {
  const { headers } = await shop.visitor().get('/assets/favicon.svg')
  expect(headers['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'")
})

test('a 404 for a file is not cached', async () => {
  for (const address of ['/assets/nothing.js', '/assets/icon-12345678.png']) {
    const { status, headers } = await shop.visitor().get(address)
    expect([status, headers['cache-control']]).toEqual([404, 'no-store'])
  }
})

test('the manifest has the brand, and its icons match their description', async () => {
  const { status, headers, body } = await shop.visitor().get('/manifest.webmanifest')
  expect(status).toBe(200)
  expect(headers['content-type']).toMatch(/^application\/manifest\+json\b/)
  const { name, shortName, description } = defaultBrand
  expect(body).toMatchObject({ name, short_name: shortName, description, start_url: '/' })
  expect(shortName.length).toBeLessThanOrEqual(12)
  for (const { src, sizes, type } of body.icons) {
    const icon = await shop.visitor().get(src)
    expect([icon.status, icon.headers['content-type']]).toEqual([200, type])
    if (sizes === 'any') continue
    const png = readFileSync(join(assets, src.slice(8)))
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes)
  }
})

test('browsers find the icon at its default address', async () => {
  const { status, headers } = await shop.visitor().get('/favicon.ico')
  expect([status, headers['cache-control']]).toEqual([200, FOR_A_DAY])
  expect(headers['content-type']).toMatch(/^image\/(x-icon|vnd.microsoft.icon)$/)
})

test('a weak ETag identifies a page in every encoding, and gives a 304', async () => {
  const visitor = shop.visitor()
  const getPage = (headers: Record<string, string>) => visitor.get('/', headers)
  const [plain, br, gzip] = await Promise.all(
    ['identity', 'br', 'gzip'].map(encoding => getPage({ 'accept-encoding': encoding })),
  )
  const etag = String(plain?.headers.etag)
  expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
  expect([br?.headers['content-encoding'], br?.headers.etag]).toEqual(['br', etag])
  expect([gzip?.headers['content-encoding'], gzip?.headers.etag]).toEqual(['gzip', etag])
  for (const known of [etag, etag.slice(2), `"another", ${etag}`, '*']) {
    const { status, body, headers } = await getPage({ 'if-none-match': known })
    expect([known, status, body, headers.etag]).toEqual([known, 304, '', etag])
  }
  expect((await getPage({ 'if-none-match': '"another"' })).status).toBe(200)
})

test('over https HSTS is sent, for the own host alone', async () => {
  const name = 'strict-transport-security'
  expect((await shop.visitor().get('/')).headers[name]).toBeUndefined()
  const secure = await openShop({ settings: { PUBLIC_URL: 'https://thrum.example' } })
  const { headers } = await secure.visitor().get('/api/products/')
  await secure.close()
  expect(headers[name]).toBe('max-age=63072000')
})

test('an address in another case redirects, safely encoded in a header', async () => {
  const ana = await shop.signUp('ana')
  const mug = await shop.list(ana)
  const encoded = '/%D0%BC%D0%B0%D1%80%D0%B0?%D1%84=1#%F0%9F%A7%B6'
  const form = (person: Person, url: string, fields: Record<string, string>) =>
    person.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: String(new URLSearchParams(fields)),
    })
  const next = '/мара?ф=1#🧶'
  const { email } = ana.user
  const responses = [
    await ana.get(`/login?next=${encodeURIComponent(next)}`),
    await form(shop.visitor(), `/login?next=${encodeURIComponent(next)}`, { email, password: ana.password }),
    await form(ana, '/favourites', { id: String(mug.id), saved: 'yes', back: next }),
  ]
  for (const { status, headers } of responses)
    expect([Math.floor(status / 100), headers.location]).toEqual([3, encoded])
})

test.each([
  '//evil.example',
  '/.//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '/\t/evil.example',
])('a login does not redirect to %s', async next => {
  const ana = await shop.signUp('ana')
  expect((await ana.get(`/login?next=${encodeURIComponent(next)}`)).headers.location).toBe('/')
})

test('invalid hosts and schemes neither fail nor appear in links', async () => {
  const behind = await openShop({ settings: { TRUST_PROXY: '1' } })
  try {
    const ana = await behind.signUp('ana')
    for (const scheme of ['javascript', 'ftp', '', 'HTTPS', 'https, javascript', 'ß']) {
      for (const host of ['shop.example', '', 'a b', '[::', 'shop.example:99999', '@', 'x/y?z', 'ü']) {
        for (const url of ['/', '/login?next=/cart', '/feeds/listings.atom', '/sitemap.xml', '/robots.txt']) {
          const { status, body } = await ana.get(url, { host, 'x-forwarded-proto': scheme })
          expect([scheme, host, url, status]).toEqual([
            scheme,
            host,
            url,
            url.startsWith('/login') ? 302 : 200,
          ])
          expect(String(body)).not.toMatch(/(javascript|ftp):\/\//)
        }
      }
    }
  } finally {
    await behind.close()
  }
})
