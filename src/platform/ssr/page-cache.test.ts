import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
let ben: Person
let mug: number
let address: string
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  ben = await shop.signUp('ben')
})
afterAll(() => shop.close())
beforeEach(async () => {
  mug = (await shop.list(ana, { name: 'Speckled mug', stock: 9 })).id
  address = `/products/${mug}/speckled-mug`
})

const getPage = async (person: Person, headers: Record<string, string> = {}) => person.get(address, headers)
/** Three requests: learns the dependencies, caches, uses the cache. */
async function getCached(person: Person) {
  await getPage(person)
  await getPage(person)
  return getPage(person)
}

test('a user’s cached page is never sent to another', async () => {
  const [seller, shopper] = [await getCached(ana), await getCached(ben)]
  expect(seller.body).toContain(ana.user.email)
  expect(seller.body).toContain('Edit this listing')
  expect(shopper.body).toContain(ben.user.email)
  expect(shopper.body).not.toContain(ana.user.email)
  expect(shopper.body).not.toContain('Edit this listing')
  const visitor = await getPage(shop.visitor())
  expect(visitor.body).not.toContain('@example.com')
  const stranger = shop.visitor()
  stranger.cookie = 'session=made-up'
  expect((await getCached(stranger)).body).not.toContain('@example.com')
})

test('a cached page is rendered once, and revalidation is a 304', async () => {
  const { headers, body } = await getCached(ben)
  expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'cookie, accept-encoding' })
  const etag = String(headers.etag)
  const again = await getPage(ben, { 'if-none-match': etag })
  expect([again.status, again.body]).toEqual([304, ''])
  const small = await getPage(ben, { 'accept-encoding': 'gzip, br' })
  expect([small.headers['content-encoding'], small.headers.etag]).toEqual(['gzip', etag])
  expect((await getPage(ana, { 'if-none-match': etag })).status).toBe(200)
  expect(body).toContain('Speckled mug')
})

test('changes are seen at once: cart, favourites, review, session', async () => {
  await getCached(ben)
  await ben.post(`/api/cart_items/add/${mug}`, { quantity: 3 })
  expect((await getPage(ben)).body).toContain('3 items')
  await getCached(ben)
  await ben.put(`/api/favourites/${mug}`)
  expect((await getPage(ben)).body).toContain('aria-pressed="true"')
  await getCached(ben)
  await ben.post(`/api/reviews/${mug}/create-review`, { review: 'It holds tea.', stars: 5 })
  expect((await getPage(ben)).body).not.toContain('You have not left a review yet')
  await getCached(ben)
  await ben.post('/api/orders/checkout')
  expect((await getPage(ben)).body).not.toContain('3 items')
  await getCached(ana)
  const cookie = ana.cookie
  await ana.get('/api/auth/logout')
  ana.cookie = cookie
  expect((await getPage(ana)).body).not.toContain(ana.user.email)
  ana = await shop.signUp('ana')
})

test('a form without scripts redirects to a page with its change', async () => {
  await getCached(ben)
  const { status, headers } = await ben.send({
    method: 'POST',
    url: address,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'quantity=2',
  })
  const { body } = await ben.get(String(headers.location))
  expect([status, body.includes('Item added to cart!'), body.includes('2 items')]).toEqual([303, true, true])
})

test('public data on a page is never older than its last change', async () => {
  await getCached(ben)
  await shop.correctStock(mug, -9)
  shop.app.cache.invalidateAll()
  expect((await getPage(ben)).body).toContain('sold out')
})

test('a private page is rendered for each request', async () => {
  for (const person of [ana, ben, ana, ben]) {
    const { status, headers } = await person.get('/cart')
    expect([status, headers.etag]).toEqual([200, undefined])
  }
})

test('a page under an overlong host is not cached', async () => {
  const etagFor = async (length: number) => {
    const headers = { host: 'x'.repeat(length) }
    await getPage(ben, headers)
    await getPage(ben, headers)
    return (await getPage(ben, headers)).headers.etag
  }
  expect(await etagFor(250)).toBeDefined()
  expect(await etagFor(300)).toBeUndefined()
})
