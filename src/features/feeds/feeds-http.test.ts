import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

const ATOM = '/feeds/listings.atom'
const JSON_FEED = '/feeds/listings.json'
let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('an unchanged feed answers 304', async () => {
  const ana = await shop.signUp('ana')
  const bowl = await shop.list(ana)
  for (const path of [ATOM, JSON_FEED]) {
    const { headers, body } = await shop.visitor().get(path)
    expect(headers['cache-control']).toBe('public, no-cache')
    const again = await shop.visitor().get(path, { 'if-none-match': String(headers.etag) })
    expect([again.status, again.body]).toEqual([304, ''])
    await ana.put(`/api/products/${bowl.id}`, { ...bowl, description: `Holds soup, ${path}.` })
    const changed = await shop.visitor().get(path, { 'if-none-match': String(headers.etag) })
    expect(changed.status).toBe(200)
    expect(changed.body).not.toEqual(body)
  }
})

test('a HEAD request is answered like GET, without the body', async () => {
  const visitor = shop.visitor()
  for (const url of [
    ATOM,
    JSON_FEED,
    '/robots.txt',
    '/opensearch.xml',
    '/sitemap.xml',
    '/sitemaps/listings-0.xml',
  ]) {
    const [head, get] = [await visitor.send({ method: 'HEAD', url }), await visitor.get(url)]
    expect([head.status, head.body]).toEqual([200, ''])
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
  }
})
