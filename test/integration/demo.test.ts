import { beforeAll, expect, test } from 'vitest'
import { DEMO } from '#accounts/contract.ts'
import type { ListedConversation } from '#messages/contract.ts'
import { SLUGS } from '#pages/contract.ts'
import { fillDemo } from '../../demo/fill.ts'
import { assertAudit } from '../support/audit.ts'
import { demoUser } from '../support/demo-user.ts'
import { expectFields } from '../support/expect.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
/** Messages of two processes that open the shop at the same time. */
let messages: string[]
beforeAll(async () => {
  // Its database has no users yet.
  const { database, close } = await openShop()
  const settings = { DEMO: 'on' }
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

test('some pieces are made to order, and nothing was reviewed today', async () => {
  const [made] = await shop.rows('select count(*)::int as count from products where made_to_order')
  expect(made).toEqual({ count: 3 })
  const today = await shop.rows(`select id from reviews where created_at > now() - interval '1 hour'`)
  expect(today).toEqual([])
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
  const demo = await demoUser(shop)
  expect((await demo.get(`/api/cart_items/${demo.user.id}`)).body.cart_items.length).toBeGreaterThan(0)
  expect((await demo.get('/api/orders/')).body).toMatchObject([
    { status: 'Pending' },
    { status: 'Pending' },
    { status: 'Pending' },
  ])
  expect((await demo.get('/api/products/current')).body.products.length).toBeGreaterThan(0)
  expect((await demo.get('/api/favourites/ids')).body.ids.length).toBeGreaterThan(0)
  const written = shop.db.selectFrom('reviews').select('id').where('user_id', '=', demo.user.id).execute()
  expect((await written).length).toBeGreaterThan(0)
})

test('the demo account has drafts: one lacks only its photo, the other more', async () => {
  const { drafts } = (await (await demoUser(shop)).get('/api/drafts/')).body
  const lacking = drafts.map(({ missing }: { missing: object }) => Object.keys(missing).sort())
  expect(lacking).toContainEqual(['image'])
  expect(lacking).toContainEqual(['category', 'image', 'price', 'stock'])
})

test('the demo account has orders of its own and of others in every state, over a year, and messages', async () => {
  const demo = await demoUser(shop)
  const { orders, unread } = (await demo.get('/api/orders/all')).body
  const states = new Set(orders.map(({ state }: { state: string }) => state))
  expect([...states].sort()).toEqual([
    'cancelled',
    'collected',
    'open',
    'part-sent',
    'ready',
    'received',
    'sent',
  ])
  expect(unread).toBe(1)
  for (const { parcels, lines } of orders) {
    for (const parcel of parcels) expect(parcel.lines).not.toEqual([])
    for (const { quantity, open, sent, cancelled } of lines) expect(open + sent + cancelled).toBe(quantity)
  }
  const sold = await shop.db
    .selectFrom('orders')
    .select('status')
    .where('seller_id', '=', demo.user.id)
    .execute()
  expect(new Set(sold.map(({ status }) => status))).toEqual(new Set(['Pending', 'Part sent', 'Sent']))
  const [age] = await shop.rows("select max(now() - created_at) > interval '300 days' as old from orders")
  expect(age).toEqual({ old: true })
  // What happened is in the order of time, and nothing lies ahead.
  const wrong = await shop.rows(
    'select e.id from order_events as e join orders as o on o.id = e.order_id where e.created_at not between o.created_at and now()',
  )
  expect(wrong).toEqual([])
})

test('the demo account has conversations of the past: one as a maker, with a new message, and one as a shopper', async () => {
  const demo = await demoUser(shop)
  const { conversations, unread } = (await demo.get('/api/messages/')).body
  expect(
    conversations.map(({ role, newest, ...row }: ListedConversation) => [
      role,
      row.listing?.name,
      row.unread,
      newest.role,
    ]),
  ).toEqual([
    ['maker', 'Three Spinning Tops', 1, 'shopper'],
    ['shopper', 'Walnut Peg Solitaire with Stone Marbles', 0, 'shopper'],
  ])
  expect(unread).toBe(1)
  const wrong = await shop.rows(`
    select m.id from conversation_messages as m join conversations as c on c.id = m.conversation_id
    where m.created_at not between c.created_at and c.newest_at or c.newest_at > now() - interval '1 day'
  `)
  expect(wrong).toEqual([])
})

test('the footer leads to pages about the shop, which say that it is a demo', async () => {
  const visitor = shop.visitor()
  const { body } = await visitor.get('/api/pages/')
  expect(body.pages.map(({ slug }: { slug: string }) => slug)).toEqual(SLUGS)
  for (const slug of SLUGS)
    expect((await visitor.get(`/${slug}`, { accept: 'text/html' })).status, slug).toBe(200)
  expect((await visitor.get('/', { accept: 'text/html' })).body).toContain('<h2>Help</h2>')
  expect((await visitor.get('/about', { accept: 'text/html' })).body).toContain('This shop is a demo')
})

test('the audit finds no difference in the demo shop', async () => {
  await assertAudit(shop.connection, () => shop.files)
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
