import { aMug, type Person, type Shop } from '../test/person.ts'
import { everyCall, openWorld, stateOf } from '../test/world.ts'
import { withShop } from './ground.ts'
import { Faults, type Outcome, type Row } from './row.ts'

/** Fields that are nobody's to send are ignored; and no answer holds an e-mail or a hash but one's own session. */
export async function extraFields(shop: Shop): Promise<Outcome> {
  const faults = new Faults()
  const world = await openWorld(shop)
  const before = JSON.stringify(await stateOf(world))
  const eve = await shop.signUp('eve')
  const { owner, listing } = world
  const claims = {
    ...{
      id: listing,
      user_id: owner.user.id,
      seller_id: owner.user.id,
      seller: owner.user.username,
      status: 'Cancelled',
    },
    ...{
      total: 0.01,
      total_cents: 1,
      price_cents: 1,
      created_at: '2000-01-01T00:00:00Z',
      deleted_at: null,
      admin: true,
    },
    ...{
      rating: 5,
      review_count: 99,
      password_hash: 'x',
      product_id: listing,
      products_ordered: [],
      images: [],
    },
  }
  const own = await shop.list(eve, { ...claims } as never)
  faults.expect(
    own.id !== listing && own.seller === eve.user.username && own.rating !== 5,
    'a listing took what it was told',
  )
  const changed = await eve.put(`/api/products/${own.id}`, { ...aMug, ...claims, id: own.id })
  faults.expect(changed.body.seller === eve.user.username, 'a listing changed hands')
  const line = await eve.post(`/api/cart_items/add/${own.id}`, {
    ...claims,
    quantity: 1,
    price: 0.01,
    product: { price: 0.01 },
  })
  faults.expect(line.body.product.price === aMug.price, 'a cart line took a price')
  const order = await eve.post('/api/orders/checkout', claims)
  faults.expect(
    order.body.total === aMug.price && order.body.status === 'Pending',
    'an order took a total or a status',
  )
  const review = await eve.post(`/api/reviews/${listing}/create-review`, {
    ...claims,
    review: 'Fine.',
    stars: 4,
  })
  faults.expect(review.body.user_id === eve.user.id && review.body.id !== listing, 'a review took an author')
  await owner.get(`/api/products/${listing}`)
  const state = JSON.stringify(await stateOf(world))
  faults.expect(state === before, 'what the owner has was changed')
  const looks = await leaks(shop, eve, owner)
  for (const leak of looks.found) faults.expect(false, leak)
  return faults.outcome(
    `5 calls with ${Object.keys(claims).length} claims each: all ignored; ${looks.looked} answers without anybody’s e-mail or a hash`,
  )
}

/** Answers in which an e-mail of somebody else, or a hash, can be read. */
async function leaks(shop: Shop, eve: Person, owner: Person): Promise<{ looked: number; found: string[] }> {
  const found: string[] = []
  let looked = 0
  const world = await openWorld(shop, 'other')
  for (const [key, call] of Object.entries(everyCall)) {
    if (key.includes(' /api/auth/')) continue
    for (const person of [shop.visitor(), eve]) {
      const text = JSON.stringify((await call(person, world)).body) ?? ''
      looked++
      const strangers = (text.match(/[\w.+-]+@example\.com/g) ?? []).filter(
        email => email !== eve.user?.email,
      )
      if (strangers.length > 0 || text.includes(owner.user.email)) found.push(`${key} tells ${strangers[0]}`)
      if (/argon2|password_hash|token_hash/.test(text)) found.push(`${key} tells a hash`)
    }
  }
  return { looked, found }
}

export const row: Row = {
  risk: 'extra fields',
  promise:
    'send user_id, status, total, id, price of cart lines: ignored or 400; no e-mail or hash outside one’s own session',
  run: () => withShop({}, extraFields),
}
