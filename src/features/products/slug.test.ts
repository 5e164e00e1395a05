import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { listingPath, slugOf } from './slug.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

test.each([
  ['Speckled mug', 'speckled-mug'],
  ['  Grandma’s “best” mug!  ', 'grandmas-best-mug'],
  ['Crème brûlée dish, Ø 12 cm', 'creme-brulee-dish-o-12-cm'],
  ['Łódź straße æsir', 'lodz-strasse-aesir'],
  ['İstanbul ﬁne ½', 'istanbul-fine-1-2'],
  ['木の器', '木の器'],
  ['כוס', 'כוס'],
  ['हिन्दी', 'हिन्दी'],
  ['🧶🧵', 'handmade'],
  ['…', 'handmade'],
  ['</script><script>', 'script-script'],
  ['../../etc', 'etc'],
  ['Edit', 'edit-handmade'],
  ['Reviews!', 'reviews-handmade'],
  ['create review', 'create-review-handmade'],
  ['x'.repeat(50), 'x'.repeat(50)],
])('%j is %j in an address', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('every name gives an address of one segment, which survives encoding', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), name => {
      const slug = slugOf(name)
      expect(slug).toMatch(/^[\p{L}\p{M}\p{N}]+(-[\p{L}\p{M}\p{N}]+)*$/u)
      const { pathname } = new URL(listingPath({ id: 7, name }), 'http://thrum.example')
      expect(pathname.length).toBeLessThanOrEqual(170)
      expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'products', '7', slug])
    }),
    { numRuns: 2_000 },
  )
})

test('no slug equals a page below a listing', () => {
  const source = (name: string) => readFileSync(join(import.meta.dirname, '../../storefront', name), 'utf8')
  const below = [
    ...source('routes.tsx').matchAll(/path: '(?:products\/:productId\/)?([\w-]+)'/g),
    ...source('selling-routes.ts').matchAll(/'products\/:productId\/([a-z-]+)'/g),
    ...source('review-routes.ts').matchAll(/'([a-z-]+)'[,\]]/g),
  ].map(([, path = '']) => path)
  expect(below).toEqual(expect.arrayContaining(['edit', 'reviews', 'create-review']))
  for (const path of below.filter(path => /^edit$|review/.test(path))) expect(slugOf(path)).not.toBe(path)
})

test('another slug redirects to the right one and keeps the query', async () => {
  const { id } = await shop.list(ana, { name: 'Blue bowl' })
  const right = `/products/${id}/blue-bowl`
  expect((await shop.visitor().get(right)).status).toBe(200)
  expect((await shop.visitor().get(`/products/${id}`)).status).toBe(200)
  for (const [requested, to] of [
    ['bowl', right],
    ['Blue-Bowl?utm=a&b=%26', `${right}?utm=a&b=%26`],
    ['%3Cscript%3E', right],
    ['a%2Fb', right],
  ]) {
    for (const person of [ana, shop.visitor()]) {
      const { status, headers } = await person.get(`/products/${id}/${requested}`)
      expect([status, headers.location, headers['cache-control']]).toEqual([301, to, 'private, no-cache'])
    }
  }
})

test('after a rename the old address redirects to the new one, and back again', async () => {
  const bowl = await shop.list(ana, { name: 'Blue bowl' })
  for (const [name, other] of [
    ['Green bowl', 'blue-bowl'],
    ['Blue bowl', 'green-bowl'],
  ]) {
    await ana.put(`/api/products/${bowl.id}`, { ...bowl, name })
    const { status, headers } = await shop.visitor().get(`/products/${bowl.id}/${other}`)
    expect([status, headers.location]).toEqual([301, listingPath({ id: bowl.id, name: name! })])
    expect((await shop.visitor().get(String(headers.location))).status).toBe(200)
  }
})

test('pages below a listing win over its slug', async () => {
  for (const name of ['Edit', 'Reply', 'Reviews', 'Create-Review']) {
    const listing = await shop.list(ana, { name })
    expect((await shop.visitor().get(listingPath(listing))).body).toContain(`<title>${name} · Thrum</title>`)
    expect((await ana.get(`/products/${listing.id}/edit`)).body).toContain('<title>Update your listing')
    expect((await ana.get(`/products/${listing.id}/reviews`)).body).toContain('<title>Reviews · Thrum')
    expect((await ana.get(`/products/${listing.id}/create-review`)).body).toContain('<title>Leave a review')
  }
})

test('unknown listings, and addresses below a slug, are 404', async () => {
  const { id } = await shop.list(ana, { name: 'Blue bowl' })
  for (const path of ['/products/9999999/blue-bowl', '/products/x/y', `/products/${id}/blue-bowl/edit`])
    expect((await shop.visitor().get(path)).status).toBe(404)
})

test('an address with a slug takes the page’s forms', async () => {
  const url = listingPath(await shop.list(ana, { name: 'Blue bowl' }))
  const head = await ana.send({ method: 'HEAD', url })
  expect([head.status, head.body]).toEqual([200, ''])
  for (const method of ['PUT', 'DELETE', 'PATCH'] as const) {
    const { status, headers } = await ana.send({ method, url })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST'])
  }
})
