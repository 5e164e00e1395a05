import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOperator } from '../../../test/support/operators.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { SLUGS, type Slug } from './contract.ts'

const AT = 'https://thrum.example'
let shop: TestShop
let otto: Person
beforeAll(async () => {
  shop = await openShop({ settings: { PUBLIC_URL: AT } })
  otto = await openOperator(shop)
})
afterAll(() => shop.close())

async function publish(slug: Slug, text: string): Promise<void> {
  const { base } = (await otto.get(`/api/operate/pages/${slug}`)).body
  const { id } = (await otto.post(`/api/operate/pages/${slug}/versions`, { text, base })).body
  const sent = { version: id, reason: 'The meeting' }
  expect((await otto.post(`/api/operate/pages/${slug}/publish`, sent)).status).toBe(200)
}
const visit = (path: string) => shop.visitor().get(path)
/** Paths that are linked below a page. */
async function linked(path: string, by = shop.visitor()): Promise<string[]> {
  const [, nav = ''] = /<nav aria-label="About">(.*?)<\/nav>/.exec((await by.get(path)).body) ?? []
  return [...nav.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
}

test('a page is at its address, linked below every page, as long as it is published', async () => {
  for (const slug of SLUGS) expect([slug, (await visit(`/${slug}`)).status]).toEqual([slug, 404])
  expect(await linked('/')).toEqual([])
  await publish('terms', '# Rules\n\nBe **kind**.')
  await publish('about', 'We knit.')
  const { status, body } = await visit('/terms')
  expect(status).toBe(200)
  expect(body).toContain('<h1>Terms</h1><h2 id="rules">Rules</h2>')
  expect(body).toContain('<p>Be <strong>kind</strong>.</p>')
  for (const path of ['/', '/search', '/login', '/terms'])
    expect(await linked(path)).toEqual(['/about', '/terms'])
  expect(await linked('/cart', await shop.signUp('ana'))).toEqual(['/about', '/terms'])
  await otto.post('/api/operate/pages/terms/take-back', { reason: 'It is old' })
  expect((await visit('/terms')).status).toBe(404)
  expect(await linked('/')).toEqual(['/about'])
})

test('a page has a title, a description and one canonical address, and search engines may list it', async () => {
  await publish('privacy', '## What\n\nWe store *little*.')
  const { body } = await visit('/privacy?utm_source=x')
  expect(body).toContain('<title>Privacy · Thrum</title>')
  expect(body).toContain(`<link rel="canonical" href="${AT}/privacy">`)
  expect(body).toContain('<meta name="description" content="What We store little.">')
  expect(body).not.toContain('noindex')
  expect((await visit('/imprint')).body).toContain('noindex')
})

test('a page is validated before each use, as other public pages, and cached', async () => {
  await publish('contact', 'Write to us.')
  const first = await visit('/contact')
  expect(first.headers['cache-control']).toBe((await visit('/')).headers['cache-control'])
  const again = await shop.visitor().get('/contact', { 'if-none-match': String(first.headers.etag) })
  expect(again.status).toBe(304)
  await publish('contact', 'Call us.')
  expect((await visit('/contact')).body).toContain('Call us.')
})

test('the links below pages are in the cache: they cost no query for each request', async () => {
  const counts = shop.app.cache.counts
  await visit('/login')
  const { hit, miss } = { ...counts }
  await visit('/login?next=%2Fcart')
  // The page is new, its links and the brand are not.
  expect([counts.hit - hit, counts.miss - miss]).toEqual([2, 1])
})

test('hostile text is shown as words', async () => {
  await publish('imprint', '<script>alert(1)</script>\n\n<javascript:alert(2)> [y](https://a.example)')
  const { body } = await visit('/imprint')
  const [, main = ''] = /<main[^>]*>(.*?)<\/main>/s.exec(body) ?? []
  expect(main).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(main).not.toMatch(/<script|href="javascript/)
  expect(main).toContain('<a href="https://a.example" rel="noopener noreferrer">y</a>')
})

test('the addresses of pages take no forms, and unknown ones stay unknown', async () => {
  await publish('about', 'We knit.')
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: AT, host: 'thrum.example' }
  const post = (url: string) => shop.visitor().send({ method: 'POST', url, headers: form, payload: 'a=1' })
  expect((await post('/about')).status).toBe(405)
  expect((await post('/about-us')).status).toBe(404)
  expect((await visit('/about-us')).status).toBe(404)
  expect((await visit('/shops/about')).status).toBe(404)
})
