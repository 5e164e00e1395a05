import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calls as accounts } from '#accounts/contract.ts'
import { calls as cart } from '#cart/contract.ts'
import type { Call } from '#contract'
import { calls as favourites } from '#favourites/contract.ts'
import { calls as orders } from '#orders/contract.ts'
import { calls as products } from '#products/contract.ts'
import { calls as reviews } from '#reviews/contract.ts'
import { calls as shops } from '#shops/contract.ts'
import { headers, id, payloadFor, query } from './nasty.ts'
import { type Answer, openShop, type Person, type TestShop } from './shop.ts'
import { openWorld, type World } from './world.ts'

const calls: Record<string, Call> = {
  ...accounts,
  ...products,
  ...shops,
  ...favourites,
  ...cart,
  ...reviews,
  ...orders,
}
/** Requests for every call; fewer where each costs the hash of a password. */
const runsOf = (key: string) => (/login|signup/.test(key) ? 100 : 250)
const seed = Number(process.env.SEED) || undefined

let shop: TestShop
let world: World
/** Signed in, and replaced after logging out. */
let eve: Person
beforeAll(async () => {
  // Limits as in production, so that their keys are made of what is sent, but out of reach.
  const limits = ['SIGNUPS', 'LOGINS', 'GUESSES', 'LISTINGS', 'UPLOADS', 'REVIEWS']
  const far = Object.fromEntries(limits.map(name => [`LIMIT_${name}`, '1000000']))
  shop = await openShop({ settings: { LIMITS: 'on', ...far } })
  world = await openWorld(shop)
  eve = await shop.signUp('eve')
})
afterAll(() => shop.close())

/** The documented shape: what the contract says for a success, the error body for all else, and never a 5xx. */
function expectDocumented(key: string, call: Call, { status, body }: Answer) {
  if (status >= 500) throw new Error(`${key} answered ${status}: ${JSON.stringify(body)}`)
  if (status === 303) return expect(key).toBe('GET /api/auth/logout')
  if (status < 400) {
    expect(status).toBe(call.status ?? 200)
    return expect(call.answer.safeParse(body).success).toBe(true)
  }
  expect([400, 401, 403, 404, 405, 409, 413, 415, 422, 429]).toContain(status)
  expect(JSON.stringify(body)).not.toMatch(/node_modules|\/src\/|select |insert |\bat .*:\d+:\d+|argon2/)
  if (Array.isArray(body.errors)) {
    expect(Object.keys(body).sort()).toEqual(['errors', 'message'])
    expect(body.errors[0]).toBe(body.message)
    for (const error of body.errors) expect(error).toEqual(expect.stringMatching(/\w/))
  } else {
    expect(call.errors).toBe('fields')
    expect(Object.values(body).length).toBeGreaterThan(0)
    for (const message of Object.values(body)) expect(message).toEqual(expect.stringMatching(/\w/))
  }
}

const idOf = (name: string) =>
  name === 'owner' ? String(world.owner.user.id) : String(world[name as 'listing'] ?? name)

test.each(Object.entries(calls))(
  '%s stands whatever is sent to it',
  async (key, call) => {
    const [method = '', path = ''] = key.split(' ')
    const requests = fc.asyncProperty(
      id,
      query,
      headers,
      payloadFor(call),
      fc.boolean(),
      async (id, query, headers, payload, visits) => {
        const person = visits ? shop.visitor() : eve
        const cookie = person.cookie
        const { username } = world.owner.user
        const named = path.includes(':username') && id === 'owner' ? username : idOf(id)
        const url = path.replace(/:\w+/, () => named) + query
        const body = method === 'GET' ? {} : { payload }
        const began = performance.now()
        const answer = await person.send({ method: method as 'GET', url, headers, ...body })
        expect(performance.now() - began).toBeLessThan(2000)
        person.cookie = cookie
        // A path with more or fewer parts, or with a ? inside, is another call, or none.
        if (id !== '' && !/[?#\\;]|\.\./.test(id)) expectDocumented(key, call, answer)
        else if (answer.status >= 500) throw new Error(`${key} answered ${answer.status}`)
        if (key.includes(' /api/auth/')) eve = await stillSignedIn()
      },
    )
    await fc.assert(requests, { numRuns: runsOf(key), ...(seed === undefined ? {} : { seed }) })
  },
  60_000,
)

async function stillSignedIn(): Promise<Person> {
  const { status } = await eve.get('/api/auth/')
  return status === 200 ? eve : shop.signUp('eve')
}

test('after all of it the owner still has everything', async () => {
  const { owner, listing, line, order, review } = world
  expect((await owner.get(`/api/products/${listing}`)).body).toMatchObject({
    id: listing,
    name: 'Speckled mug',
  })
  expect((await owner.get(`/api/cart_items/${owner.user.id}`)).body.cart_items).toMatchObject([
    { id: line, quantity: 2 },
  ])
  expect((await owner.get('/api/orders/')).body).toMatchObject([{ id: order, status: 'Pending' }])
  const reviews = (await owner.get(`/api/reviews/${listing}/reviews`)).body
  expect(reviews).toContainEqual(
    expect.objectContaining({ id: review, review: 'Keeps the tea warm.', stars: 5 }),
  )
})
