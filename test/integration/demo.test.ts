import { beforeAll, expect, test } from 'vitest'
import { DEMO } from '#accounts/contract.ts'
import { fillDemo } from '../../demo/fill.ts'
import { makers } from '../../demo/shop.ts'
import { expectFields, expectRefusal } from '../support/expect.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

const GUESSES = 2

let shop: TestShop
/** Messages of two processes that open the shop at the same time. */
let messages: string[]
beforeAll(async () => {
  // Its database has no users yet.
  const { database, close } = await openShop()
  const limits = { LIMITS: 'on', LIMIT_GUESSES: `${GUESSES}`, LIMIT_ACCOUNT_GUESSES: `${GUESSES}` }
  const settings = { DEMO: 'on', ...limits }
  const [one, other] = await Promise.all([openShop({ database, settings }), openShop({ database, settings })])
  messages = [...one.messages, ...other.messages]
  await other.close()
  shop = one
  return async () => {
    await one.close()
    await close()
  }
}, 120_000)

interface Piece {
  id: number
  category: string
  stock: number
  seller_id: number
  images: { url: string; srcset?: string; width: number | null }[]
}
const listings = async (): Promise<Piece[]> =>
  (await shop.visitor().get('/api/products/?limit=100')).body.products

/** Number of rows of every table that users fill. */
async function rowsIn({ db }: TestShop): Promise<number[]> {
  const tables = [
    'users',
    'products',
    'images',
    'reviews',
    'orders',
    'cart_lines',
    'shops',
    'favourites',
  ] as const
  const counting = tables.map(table =>
    db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  )
  return (await Promise.all(counting)).map(({ count }) => Number(count))
}

async function demoUser(): Promise<Person> {
  const person = shop.visitor()
  const { status, body } = await person.post('/api/auth/login', DEMO)
  expect(status).toBe(200)
  person.user = body
  return person
}

test('an empty database becomes a shop: makers, listings of every category with their pictures', async () => {
  const pieces = await listings()
  expect(pieces.length).toBeGreaterThanOrEqual(32)
  expect(new Set(pieces.map(({ seller_id }) => seller_id)).size).toBeGreaterThanOrEqual(8)
  expect(new Set(pieces.map(({ category }) => category)).size).toBe(5)
  for (const { images } of pieces) expect(images[0]?.width).toBeGreaterThan(0)
  expect((await shop.visitor().get(pieces[0]?.images[0]?.url ?? '')).status).toBe(200)
})

test('of two concurrent fills one waits, and finds it filled', () => {
  expect(messages).toEqual(['Filling the demo shop…'])
})

test('some listings of the demo shop are sold out, others have one left', async () => {
  const stocks = (await listings()).map(({ stock }) => stock)
  for (const stock of [0, 1]) expect(stocks).toContain(stock)
})

test('about sixty reviews, from one star to five', async () => {
  const stars: number[] = []
  for (const { id } of await listings()) {
    const { body } = await shop.visitor().get(`/api/reviews/${id}/reviews`)
    stars.push(...body.map((review: { stars: number }) => review.stars))
  }
  expect(stars.length).toBeGreaterThanOrEqual(55)
  expect([...new Set(stars)].sort()).toEqual([1, 2, 3, 4, 5])
})

test('every seller has a profile with a picture; some reply to reviews', async () => {
  const visitor = shop.visitor()
  const { products } = (await visitor.get('/api/products/?limit=100')).body
  const names = new Set<string>(products.map(({ seller }: { seller: string }) => seller))
  for (const name of names) {
    const { words, place, picture } = (await visitor.get(`/api/shops/${name}`)).body
    expect([words.length, place.length, picture.width], name).not.toContain(0)
    expect((await visitor.get(picture.url)).status).toBe(200)
  }
  const answered = await shop.db.selectFrom('reviews').select('id').where('reply', 'is not', null).execute()
  expect(answered.length).toBeGreaterThanOrEqual(5)
})

test('the demo account has a filled cart, an order, listings and reviews', async () => {
  const demo = await demoUser()
  expect((await demo.get(`/api/cart_items/${demo.user.id}`)).body.cart_items.length).toBeGreaterThan(0)
  expect((await demo.get('/api/orders/')).body).toMatchObject([{ status: 'Pending' }])
  expect((await demo.get('/api/products/current')).body.products.length).toBeGreaterThan(0)
  expect((await demo.get('/api/favourites/ids')).body.ids.length).toBeGreaterThan(0)
  const written = shop.db.selectFrom('reviews').select('id').where('user_id', '=', demo.user.id).execute()
  expect((await written).length).toBeGreaterThan(0)
})

test('a filled shop is left alone', async () => {
  const before = await rowsIn(shop)
  const lines: string[] = []
  await fillDemo(shop.app, line => lines.push(line))
  expect(await rowsIn(shop)).toEqual(before)
  expect(lines).toEqual([])
})

test('a database with users gets no demo shop', async () => {
  const own = await openShop()
  await own.list(await own.signUp('ana'))
  const before = await rowsIn(own)
  const restarted = await openShop({ database: own.database, settings: { DEMO: 'on' } })
  try {
    expect(restarted.messages).toEqual([])
    expect(await rowsIn(restarted)).toEqual(before)
    expectFields(await restarted.visitor().post('/api/auth/login', DEMO), 401, {
      password: 'The email or password is not correct',
    })
  } finally {
    await restarted.close()
    await own.close()
  }
})

test('the demo login opens the demo account only while the setting is on', async () => {
  await demoUser()
  const strict = await openShop()
  try {
    const [demo] = [{ ...makers[0], ...DEMO, username: 'demo' }]
    expect((await strict.visitor().post('/api/auth/signup', demo)).status).toBe(201)
    expectFields(await strict.visitor().post('/api/auth/login', DEMO), 401, {
      password: 'The email or password is not correct',
    })
  } finally {
    await strict.close()
  }
})

test('sessions of the demo account end once the shop opens without a demo', async () => {
  const first = await openShop({ signups: true })
  const ana = await first.signUp('ana')
  const demo = first.visitor()
  expect((await demo.post('/api/auth/signup', { ...makers[0], ...DEMO, username: 'demo' })).status).toBe(201)
  expect((await demo.get('/api/auth/')).status).toBe(200)
  const restarted = await openShop({ database: first.database })
  try {
    expect((await restarted.visitor().get('/api/auth/', { cookie: demo.cookie })).status).toBe(401)
    expect((await restarted.visitor().get('/api/auth/', { cookie: ana.cookie })).status).toBe(200)
  } finally {
    await restarted.close()
    await first.close()
  }
})

test('users of the demo account neither see, end nor lock out each other', async () => {
  const [first, second] = [await demoUser(), await demoUser()]
  const sessions = async (person: Person) => (await person.get('/api/auth/sessions')).body.sessions
  expect(await sessions(second)).toMatchObject([{ current: true }])
  const [{ id }] = await sessions(first)
  const STAYS = 'The demo account is everybody’s: it stays as it is'
  expectRefusal(await second.delete(`/api/auth/sessions/${id}`), 403, STAYS)
  expectRefusal(await second.delete('/api/auth/sessions'), 403, STAYS)
  const change = { current_password: DEMO.password, new_password: 'secret-2' }
  expectRefusal(await second.post('/api/auth/password', change), 403, STAYS)
  expectRefusal(await second.post('/api/auth/passkeys/challenge', change), 403, STAYS)
  for (const person of [first, second]) expect((await person.get('/api/auth/')).status).toBe(200)
})

test('nobody can lock the demo account', async () => {
  const login = (email: string, password: string) =>
    shop.visitor().post('/api/auth/login', { email, password })
  for (let n = 0; n < 4 * GUESSES; n++) expect((await login(DEMO.email, 'wrong-1')).status).toBe(401)
  const { status, headers } = await login(DEMO.email.toUpperCase(), DEMO.password)
  expect(status).toBe(200)
  expect(String(headers['set-cookie'])).not.toContain('device')
})

test('the pages offer the demo login only while the setting is on', async () => {
  const without = await openShop()
  try {
    for (const [{ visitor }, times] of [[shop, 1] as const, [without, 0] as const]) {
      const { body } = await visitor().get('/login')
      expect(body.split('Demo User').length - 1).toBe(times)
      expect((await visitor().get('/login?demo')).body.includes(`value="${DEMO.password}"`)).toBe(times > 0)
    }
  } finally {
    await without.close()
  }
})

/** A card is at most 288 pixels wide, and sharp screens have two device pixels each. */
const CARD_WIDTH = 640
const CARD_BYTES = 40_000

test('a card’s picture weighs at most 40 kB', async () => {
  const visitor = shop.visitor()
  const weights = await Promise.all(
    (await listings()).map(async ({ images: [picture] }) => {
      const choices = picture?.srcset?.split(', ').map(choice => choice.split(' ')) ?? []
      const [url = ''] = choices.find(([, width]) => Number.parseInt(width ?? '', 10) >= CARD_WIDTH) ?? []
      const { status, headers } = await visitor.get(url)
      expect(status).toBe(200)
      return Number(headers['content-length'])
    }),
  )
  expect(weights.length).toBeGreaterThan(30)
  expect(weights.filter(weight => !(weight > 0 && weight <= CARD_BYTES))).toEqual([])
})
