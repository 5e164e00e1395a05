import { isDeepStrictEqual } from 'node:util'
import { everyCall, openWorld, stateOf, type World } from '../support/fixtures.ts'
import { withShop } from '../support/harness.ts'
import { aMug } from '../support/listings.ts'
import { newcomer, PASSWORD, type Person, type Shop, type TestResponse } from '../support/person.ts'
import { Faults, type Outcome, type Scenario } from '../support/scenario.ts'

/** Fields that a client may not set are ignored; and no response has an e-mail or a hash, except the own session. */
export async function extraFields(shop: Shop): Promise<Outcome> {
  const faults = new Faults()
  const world = await openWorld(shop)
  const before = JSON.stringify(await stateOf(world))
  const eve = await shop.signUp('eve')
  const claims = claimsOn(world)
  const calls = new Set<string>()
  /** Reports a response that took an extra field, or has unexpected values. */
  const ignored: Ignored = (key, { status, body }, expected) => {
    if (!key.startsWith('GET ')) calls.add(key)
    const description = `${key}: ${status} ${JSON.stringify(body)}`
    faults.expect(status < 300, description)
    faults.expect(!/argon2|_hash/.test(JSON.stringify(body)), `a hash is in the response: ${description}`)
    for (const [field, claim] of Object.entries(claims))
      faults.expect(
        field in expected || !isDeepStrictEqual(body?.[field], claim),
        `it took ${field}: ${description}`,
      )
    for (const [field, value] of Object.entries(expected))
      faults.expect(isDeepStrictEqual(body?.[field], value), `another ${field}: ${description}`)
  }
  await claimAsSeller(eve, claims, ignored)
  await claimAsBuyer(eve, world, claims, ignored)
  await claimAsReviewer(eve, world, claims, ignored)
  await claimAsPerson(shop, eve, claims, ignored)
  const foreign = await eve.put(`/api/products/${world.listing}`, { ...aMug, ...claims })
  faults.expect(foreign.status === 403, `somebody else’s listing: ${foreign.status}`)
  const login = { email: world.owner.user.email, password: PASSWORD }
  faults.expect(
    (await shop.visitor().post('/api/auth/login', login)).status === 200,
    'a password was changed',
  )
  faults.expect(JSON.stringify(await stateOf(world)) === before, 'what the owner has was changed')
  const leaked = await leaks(shop, eve, world.owner)
  for (const leak of leaked.found) faults.expect(false, leak)
  return faults.outcome(
    `${calls.size} calls with ${Object.keys(claims).length} extra fields each: all ignored; ${leaked.responses} responses without others’ e-mail or a hash`,
  )
}

const LONG_AGO = '2000-01-01T00:00:00Z'
/** Fields that a client may not set: owner, price, status. */
const claimsOn = ({ owner, listing, review }: World) => ({
  ...{
    id: listing,
    user_id: owner.user.id,
    seller_id: owner.user.id,
    product_id: listing,
    review_id: review,
  },
  ...{
    seller: owner.user.username,
    shop: owner.user.username,
    status: 'Cancelled',
    admin: true,
    role: 'admin',
  },
  ...{ total: 0.01, total_cents: 1, price_cents: 1, products_ordered: [], product: { price: 0.01 } },
  ...{ created_at: LONG_AGO, createdAt: LONG_AGO, member_since: LONG_AGO, deleted_at: null, images: [7] },
  ...{ rating: 5, review_count: 99, verified: true, picture: 7, replied_at: LONG_AGO },
  ...{ password_hash: 'x', session: 'x', in_cart: 99 },
})
type Claims = ReturnType<typeof claimsOn>
type Ignored = (key: string, answer: TestResponse, expected: Record<string, unknown>) => void

async function claimAsSeller(eve: Person, claims: Claims, ignored: Ignored): Promise<void> {
  const listed = await eve.post('/api/products/', { ...claims, ...aMug })
  const { id, created_at } = listed.body
  const expected = { ...aMug, seller: eve.user.username, seller_id: eve.user.id, rating: null, images: [] }
  ignored('POST /api/products/', listed, expected)
  // Another's id would make the edit fail before other fields are read.
  const changed = await eve.put(`/api/products/${id}`, { ...claims, ...aMug, id, stock: 4 })
  ignored('PUT /api/products/:id', changed, { ...expected, id, created_at, stock: 4 })
  // She replies to the review of her own listing; only the reply may change.
  const words = { review: 'Holds well.', stars: 4 }
  const { body: review } = await eve.post(`/api/reviews/${id}/create-review`, words)
  const edit = { ...claims, review: 'Changed', stars: 1, first_name: 'Changed', reply: 'Thank you.' }
  const { replied_at: _, ...same } = review
  const replied = await eve.put(`/api/reviews/${review.id}/reply`, edit)
  ignored('PUT /api/reviews/:id/reply', replied, { ...same, reply: 'Thank you.' })
  const { member_since } = (await eve.get(`/api/shops/${eve.user.username}`)).body
  const draft = { words: 'Weaves.', place: 'Upstairs' }
  const shop = await eve.put(`/api/shops/${eve.user.username}`, { ...claims, ...draft, username: 'x' })
  const { username, id: maker } = eve.user
  ignored('PUT /api/shops/:username', shop, { ...draft, id: maker, username, member_since, picture: null })
}

async function claimAsBuyer(
  eve: Person,
  { listing }: World,
  claims: Claims,
  ignored: Ignored,
): Promise<void> {
  const more = { ...claims, price: 0.01 }
  const line = await eve.post(`/api/cart_items/add/${listing}`, { ...more, quantity: 1 })
  ignored('POST /api/cart_items/add/:productId', line, { quantity: 1 })
  const { id, product } = line.body
  const changed = await eve.put(`/api/cart_items/${id}`, { ...more, quantity: 2 })
  ignored('PUT /api/cart_items/:id', changed, { id, quantity: 2, product: { ...product, price: aMug.price } })
  const total = 2 * aMug.price
  ignored('POST /api/orders/checkout', await eve.post('/api/orders/checkout', more), {
    total,
    status: 'Pending',
  })
  // Takes the seller's stock until it is given back.
  const [order] = (await eve.get('/api/orders/')).body
  ignored('GET /api/orders/', { status: 200, headers: {}, body: order }, { total, status: 'Pending' })
  await eve.delete(`/api/orders/${order.id}/delete-order`)
}

async function claimAsReviewer(
  eve: Person,
  { listing }: World,
  claims: Claims,
  ignored: Ignored,
): Promise<void> {
  const own = { user_id: eve.user.id, product_id: listing, first_name: eve.user.first_name, reply: null }
  const more = { ...claims, first_name: 'Changed', reply: 'Changed' }
  const words = { review: 'Fine.', stars: 4 }
  const review = await eve.post(`/api/reviews/${listing}/create-review`, { ...more, ...words })
  ignored('POST /api/reviews/:productId/create-review', review, { ...own, ...words })
  const { id, createdAt } = review.body
  const others = { review: 'Less so.', stars: 3 }
  const edited = await eve.post(`/api/reviews/${id}/edit-review`, { ...more, ...others })
  ignored('POST /api/reviews/:id/edit-review/', edited, { ...own, ...others, id, createdAt })
}

async function claimAsPerson(shop: Shop, eve: Person, claims: Claims, ignored: Ignored): Promise<void> {
  const { id, email, username } = eve.user
  const change = { ...claims, email: 'x@example.com', current_password: PASSWORD, new_password: 'secret-2' }
  ignored('POST /api/auth/password', await eve.post('/api/auth/password', change), {})
  const login = await shop.visitor().post('/api/auth/login', { ...claims, email, password: 'secret-2' })
  ignored('POST /api/auth/login', login, { id, email, username })
  const other = { ...newcomer('new'), password: PASSWORD }
  const { password: _, ...known } = other
  const visitor = shop.visitor()
  ignored('POST /api/auth/signup', await visitor.post('/api/auth/signup', { ...claims, ...other }), known)
  ignored('GET /api/auth/', await visitor.get('/api/auth/'), known)
  const loginAfter = await shop.visitor().post('/api/auth/login', { email: other.email, password: PASSWORD })
  ignored('POST /api/auth/login', loginAfter, known)
}

/** Responses that contain someone else's e-mail, or a hash. */
async function leaks(
  shop: Shop,
  eve: Person,
  owner: Person,
): Promise<{ responses: number; found: string[] }> {
  const found: string[] = []
  let responses = 0
  const world = await openWorld(shop, 'other')
  for (const [key, call] of Object.entries(everyCall)) {
    if (key.includes(' /api/auth/')) continue
    for (const person of [shop.visitor(), eve]) {
      const text = JSON.stringify((await call(person, world)).body) ?? ''
      responses++
      const strangers = (text.match(/[\w.+-]+@example\.com/g) ?? []).filter(
        email => email !== eve.user?.email,
      )
      if (strangers.length > 0 || text.includes(owner.user.email))
        found.push(`${key} returns ${strangers[0]}`)
      if (/argon2|password_hash|token_hash/.test(text)) found.push(`${key} returns a hash`)
    }
  }
  return { responses, found }
}

export const scenario: Scenario = {
  risk: 'extra fields',
  promise:
    'send user_id, status, total, id, price of cart lines: ignored or 400; no e-mail or hash outside one’s own session',
  tested: true,
  run: () => withShop({}, extraFields),
}
