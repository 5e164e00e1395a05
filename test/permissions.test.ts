import { afterAll, beforeAll, expect, test } from 'vitest'
import { calls as accounts } from '#accounts/contract.ts'
import { calls as cart } from '#cart/contract.ts'
import { calls as favourites } from '#favourites/contract.ts'
import { calls as orders } from '#orders/contract.ts'
import { calls as products } from '#products/contract.ts'
import { calls as reviews } from '#reviews/contract.ts'
import { calls as shops } from '#shops/contract.ts'
import type { Answer } from './shop.ts'
import { openShop, type Person, type TestShop } from './shop.ts'
import { everyCall, openWorld, stateOf, type World } from './world.ts'

/** What a visitor, the owner and a stranger are answered when they reach for what the owner has. */
const expected: Record<string, [visitor: number, owner: number, stranger: number]> = {
  'GET /api/auth/': [401, 200, 200],
  'GET /api/auth/session': [401, 200, 200],
  'POST /api/auth/login': [401, 401, 401],
  'POST /api/auth/signup': [201, 201, 201],
  'GET /api/auth/logout': [200, 200, 200],
  'GET /api/auth/sessions': [401, 200, 200],
  'DELETE /api/auth/sessions/:id': [401, 200, 404],
  'DELETE /api/auth/sessions': [401, 200, 200],
  'POST /api/auth/password': [401, 200, 200],

  'GET /api/products/': [200, 200, 200],
  'GET /api/products/current': [401, 200, 200],
  'GET /api/products/:id': [200, 200, 200],
  'GET /api/products/counts': [200, 200, 200],
  'GET /api/products/suggestions': [200, 200, 200],
  'GET /api/products/:id/similar': [200, 200, 200],
  'POST /api/products/': [401, 201, 201],
  'PUT /api/products/:id': [401, 200, 403],
  'DELETE /api/products/:id': [401, 200, 403],
  'POST /api/products/:id/images': [401, 201, 403],

  'GET /api/shops/:username': [200, 200, 200],
  'PUT /api/shops/:username': [401, 200, 403],
  'POST /api/shops/:username/picture': [401, 201, 403],
  'DELETE /api/shops/:username/picture': [401, 200, 403],

  'GET /api/favourites/': [401, 200, 200],
  'GET /api/favourites/ids': [401, 200, 200],
  'PUT /api/favourites/:productId': [401, 200, 200],
  'DELETE /api/favourites/:productId': [401, 200, 200],

  'GET /api/cart_items/:id': [401, 200, 403],
  'POST /api/cart_items/add/:productId': [401, 201, 201],
  'PUT /api/cart_items/:id': [401, 200, 403],
  'DELETE /api/cart_items/:id': [401, 200, 403],

  'GET /api/reviews/:productId/reviews': [200, 200, 200],
  'GET /api/reviews/:productId/histogram': [200, 200, 200],
  // A visitor has none.
  'GET /api/reviews/:productId/own': [200, 200, 200],
  'PUT /api/reviews/:id/reply': [401, 200, 403],
  'DELETE /api/reviews/:id/reply': [401, 200, 403],
  // The owner has left a review already.
  'POST /api/reviews/:productId/create-review': [401, 409, 201],
  'POST /api/reviews/:id/edit-review/': [401, 200, 403],
  'DELETE /api/reviews/:id/delete-review': [401, 200, 403],

  'GET /api/orders/': [401, 200, 200],
  'GET /api/orders/order-items/:any': [401, 200, 200],
  // The stranger's own cart is empty.
  'POST /api/orders/checkout': [401, 201, 400],
  'DELETE /api/orders/:orderId/delete-order': [401, 200, 404],
}

let shop: TestShop
let world: World
beforeAll(async () => {
  shop = await openShop()
  world = await openWorld(shop)
})
afterAll(() => shop.close())

/** Nothing in the answer may be the owner's private business; every refusal has its documented shape. */
function expectDiscreet(key: string, { status, body }: Answer, { owner, order, line }: World) {
  const text = JSON.stringify(body)
  expect(text).not.toContain(owner.user.email)
  expect(text).not.toMatch(/argon2|password_hash|token/i)
  expect(text).not.toMatch(new RegExp(`"(id|order_id)":(${order}|${line})\\b`))
  if (status < 400) return
  if (key === 'POST /api/auth/login') return expect(Object.keys(body)).toEqual(['password'])
  expect(body).toEqual({ message: expect.any(String), errors: expect.any(Array) })
  expect(body.errors[0]).toBe(body.message)
}

async function reach(key: string, person: Person, status: number | undefined) {
  const before = await stateOf(world)
  const answer = await everyCall[key]!(person, world)
  expect(answer.status).toBe(status)
  expectDiscreet(key, answer, world)
  expect(await stateOf(world)).toEqual(before)
}

test('every call of every slice is expected here, and every served call has a contract', async () => {
  const contracts = Object.keys({
    ...accounts,
    ...products,
    ...shops,
    ...favourites,
    ...cart,
    ...reviews,
    ...orders,
  }).sort()
  expect(Object.keys(expected).sort()).toEqual(contracts)
  expect(Object.keys(everyCall).sort()).toEqual(contracts)
  expect([...shop.app.calls.keys()].sort()).toEqual(contracts)
})

test.each(Object.keys(expected))('%s as a visitor', async key => {
  await reach(key, shop.visitor(), expected[key]?.[0])
})

test.each(Object.keys(expected))('%s as a stranger', async key => {
  await reach(key, await shop.signUp('stranger'), expected[key]?.[2])
})

test.each(Object.keys(expected))('%s as the owner', async key => {
  const own = await openWorld(shop)
  const { status, body } = await everyCall[key]!(own.owner, own)
  expect(status).toBe(expected[key]?.[1])
  expect(JSON.stringify(body)).not.toMatch(/argon2|password_hash|token/i)
  if (key !== 'GET /api/auth/' && key !== 'GET /api/auth/session')
    expect(JSON.stringify(body)).not.toContain(own.owner.user.email)
})

test.each(Object.keys(expected))('%s after logging out', async key => {
  const own = await openWorld(shop)
  const { cookie } = own.owner
  await own.owner.get('/api/auth/logout')
  own.owner.cookie = cookie
  const { status } = await everyCall[key]!(own.owner, own)
  expect(status).toBe(expected[key]?.[0])
})

test.each(Object.keys(expected).filter(key => key.includes(':') && !key.includes(':any')))(
  '%s with ids of nothing and of other things',
  async key => {
    const stranger = await shop.signUp('stranger')
    const before = await stateOf(world)
    for (const id of [999_999_999, world.owner.user.id, world.order, world.line, world.review]) {
      const nothing = {
        owner: { user: { id, username: `nobody-${id}` } } as Person,
        listing: id,
        line: id,
        order: id,
        review: id,
        session: id,
      }
      const answer = await everyCall[key]!(stranger, nothing)
      expect([403, 404]).toContain(answer.status)
      expectDiscreet(key, answer, world)
    }
    expect(await stateOf(world)).toEqual(before)
  },
)
