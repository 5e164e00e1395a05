import { afterAll, beforeAll, expect, test } from 'vitest'
import { pngOf } from '../support/sample-pictures.ts'
import { aMug, openShop, type Person, type TestShop } from '../support/shop.ts'

/**
 * Every column of the database: what it says of a person, and what deleting the account does with it. A new column belongs on
 * one of these lists; docs/security.md says the same in words.
 *
 * - `gone`: the row is deleted with the account.
 * - `emptied`: the row stays without it.
 * - `kept`: it stays, and belongs to the row of a deleted account; the comment says why.
 */
type Fate = 'gone' | 'emptied' | 'kept'
const personal: Record<string, Record<string, Fate>> = {
  users: {
    id: 'gone',
    username: 'gone',
    username_skeleton: 'gone',
    email: 'gone',
    first_name: 'gone',
    last_name: 'gone',
    password_hash: 'gone',
    created_at: 'gone',
  },
  // For a year the hashes alone keep others from the username.
  former_usernames: {
    user_id: 'emptied',
    username: 'emptied',
    name_hash: 'kept',
    skeleton_hash: 'kept',
    left_at: 'kept',
    held_until: 'kept',
  },
  sessions: {
    id: 'gone',
    token_hash: 'gone',
    user_id: 'gone',
    device: 'gone',
    created_at: 'gone',
    used_at: 'gone',
    expires_at: 'gone',
  },
  // For a day, so that an open form can say that the session has ended. Names nobody.
  ended_sessions: { token_hash: 'kept', ended_at: 'kept' },
  device_cookies: { token_hash: 'gone', user_id: 'gone', expires_at: 'gone' },
  // E-mail addresses, networks and user ids of failed attempts; swept after two hours.
  rate_limits: { subject: 'kept', window_start: 'kept', count: 'kept' },
  shops: { user_id: 'gone', words: 'gone', place: 'gone', image_id: 'gone' },
  // Orders have the name and price of a listing, so these stay.
  products: {
    id: 'kept',
    seller_id: 'emptied',
    name: 'kept',
    category: 'kept',
    description: 'emptied',
    price_cents: 'kept',
    created_at: 'kept',
    changed_at: 'kept',
    deleted_at: 'kept',
    added_as: 'emptied',
    version: 'kept',
  },
  images: {
    id: 'gone',
    product_id: 'gone',
    owner_id: 'gone',
    folder: 'gone',
    kind: 'gone',
    width: 'gone',
    height: 'gone',
    widths: 'gone',
    created_at: 'gone',
    colour: 'gone',
    bytes: 'gone',
  },
  // Made from the listings, and gone with them.
  catalogue: { product_id: 'gone', seller_id: 'gone', stems: 'gone' },
  vocabulary: { word: 'gone', stem: 'gone', said_by: 'gone' },
  favourites: { user_id: 'gone', product_id: 'gone', created_at: 'gone' },
  carts: { user_id: 'gone' },
  cart_lines: {
    id: 'gone',
    user_id: 'gone',
    product_id: 'gone',
    quantity: 'gone',
    created_at: 'gone',
    added_price_cents: 'gone',
  },
  // Words and stars stay by the person's choice; else the row is gone.
  reviews: {
    id: 'kept',
    product_id: 'kept',
    user_id: 'emptied',
    review: 'kept',
    stars: 'kept',
    created_at: 'kept',
    updated_at: 'kept',
    reply: 'emptied',
    replied_at: 'emptied',
  },
  // The books of the shop and of the others: who ordered is emptied, what was ordered stays.
  orders: {
    id: 'kept',
    user_id: 'emptied',
    status: 'kept',
    total_cents: 'kept',
    idempotency_key: 'emptied',
    created_at: 'kept',
    cancelled_at: 'kept',
  },
  order_lines: { order_id: 'kept', product_id: 'kept', name: 'kept', price_cents: 'kept', quantity: 'kept' },
  // Append-only. `sent_as` is a random key of one form.
  stock_ledger: {
    id: 'kept',
    product_id: 'kept',
    units: 'kept',
    reason: 'kept',
    order_id: 'kept',
    created_at: 'kept',
    sent_as: 'kept',
  },
}

/** Says nothing of a person: sums, what is derived, and the shop itself. */
const impersonal: Record<string, string[]> = {
  users: ['erased_at'],
  former_usernames: ['id'],
  catalogue: ['category', 'price_cents', 'created_at', 'in_stock', 'rating', 'reviews'],
  vocabulary: ['mends'],
  ratings: ['product_id', 'reviews', 'stars'],
  stock: ['product_id', 'quantity'],
  installation: ['id'],
  migrations: ['name', 'hash', 'applied_at'],
}

let shop: TestShop
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop({ signups: true })
  // Ids that no count or number of a row is equal to.
  await shop.rows(`select setval('ids', 700000)`)
  ;[ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
})
afterAll(() => shop.close())

/** Every column of every table. */
const columns = async (): Promise<string[]> =>
  (
    await shop.rows(`
      select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`)
  )
    .map(({ name }) => name)
    .sort()

test('every column is on one list: it says something of a person, or it does not', async () => {
  const ofPeople = Object.entries(personal).flatMap(([table, each]) =>
    Object.keys(each).map(column => `${table}.${column}`),
  )
  const others = Object.entries(impersonal).flatMap(([table, each]) =>
    each.map(column => `${table}.${column}`),
  )
  expect([...ofPeople, ...others].sort()).toEqual(await columns())
})

/** Words that stand in nothing else, by the column they are typed into. */
const typed = {
  'users.username': 'Zylvarra-Quix',
  'users.email': 'zylphonia@example.com',
  'users.first_name': 'Zylberta',
  'users.last_name': 'Zyllinger',
  'former_usernames.username': 'Zylbefore-Quix',
  'sessions.device': 'Opera on Windows',
  'shops.words': 'I throw zylpots.',
  'shops.place': 'Zylhaven',
  'products.name': 'Zylmug',
  'products.description': 'A mug with a zylhandle',
  'products.added_as': 'zylkey-of-a-listing',
  'reviews.review': 'What a zylscarf!',
  'reviews.reply': 'Zylthanks to you.',
  'orders.idempotency_key': 'zylkey-of-an-order',
  'stock_ledger.sent_as': 'zylkey-of-a-listing',
} as const
const MARK = /zyl|opera on/i

/** Ana types all of them, and buys, sells, likes and uploads. @returns her listing's id, and Ben's */
async function live(): Promise<{ mug: number; scarf: number }> {
  const { first_name, last_name } = {
    first_name: typed['users.first_name'],
    last_name: typed['users.last_name'],
  }
  for (const username of [typed['former_usernames.username'], typed['users.username']])
    expect((await ana.put('/api/account/names', { username, first_name, last_name })).status).toBe(200)
  await shop.rows(`update users set email = '${typed['users.email']}' where id = ${ana.user.id}`)
  const agent = {
    'user-agent': 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 OPR/120.0',
  }
  await ana.post('/api/auth/login', { email: typed['users.email'], password: ana.password }, agent)
  ana.user = (await ana.get('/api/auth/')).body
  const own = `/api/shops/${ana.user.username}`
  await ana.put(own, { words: typed['shops.words'], place: typed['shops.place'] })
  await ana.upload(`${own}/picture`, pngOf(300, 200))
  const draft = {
    ...aMug,
    name: typed['products.name'],
    description: typed['products.description'],
    stock: 5,
  }
  const mug = (await ana.post('/api/products/', draft, { 'idempotency-key': typed['products.added_as'] }))
    .body.id
  await ana.upload(`/api/products/${mug}/images`, pngOf(300, 200))
  const scarf = (await shop.list(ben, { name: 'Scarf', stock: 9 })).id
  await ben.post(`/api/reviews/${mug}/create-review`, { review: 'Good.', stars: 5 })
  const [{ id: review }] = (await ben.get(`/api/reviews/${mug}/reviews`)).body
  await ana.put(`/api/reviews/${review}/reply`, { reply: typed['reviews.reply'] })
  await ana.post(`/api/reviews/${scarf}/create-review`, { review: typed['reviews.review'], stars: 5 })
  for (const [person, id] of [
    [ana, scarf],
    [ben, mug],
  ] as const) {
    await person.put(`/api/favourites/${id}`)
    await person.post(`/api/cart_items/add/${id}`, { quantity: 2 })
    const key = { 'idempotency-key': typed['orders.idempotency_key'] }
    expect((await person.post('/api/orders/checkout', undefined, person === ana ? key : {})).status).toBe(201)
    await person.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  }
  return { mug, scarf }
}

/** Columns with one of the marks, in any row. */
async function marked(): Promise<string[]> {
  const found: string[] = []
  for (const name of await columns()) {
    const [table, column] = name.split('.')
    const rows = await shop.rows(
      `select "${column}"::text as text from ${table} where "${column}" is not null`,
    )
    if (rows.some(({ text }) => MARK.test(text))) found.push(name)
  }
  return found
}
/** Columns with the id of a user. */
async function naming(id: number): Promise<string[]> {
  const found: string[] = []
  for (const name of await columns()) {
    const [table, column] = name.split('.')
    const [{ n }] = await shop.rows(
      `select count(*)::int as n from ${table} where "${column}"::text = '${id}'`,
    )
    if (n > 0) found.push(name)
  }
  return found
}

test('after a deletion nothing that a person typed is anywhere but where the list says so', async () => {
  await live()
  const derived = ['catalogue.stems', 'users.username_skeleton', 'vocabulary.stem', 'vocabulary.word']
  const copies = ['order_lines.name']
  expect(await marked()).toEqual([...Object.keys(typed), ...derived, ...copies].sort())
  await shop.rows(`update orders set created_at = created_at - interval '61 days'`)
  const answer = await ana.post('/api/account/deletion', { current_password: ana.password, reviews: 'keep' })
  expect(answer.status).toBe(200)
  const stays = await marked()
  for (const name of stays) {
    const [table = '', column = ''] = name.split('.')
    expect([name, personal[table]?.[column]]).toEqual([name, 'kept'])
  }
  expect(stays).toEqual(['order_lines.name', 'products.name', 'reviews.review', 'stock_ledger.sent_as'])
  // No row has her id: what stays belongs to a row that leads to nobody.
  expect(await naming(ana.user.id)).toEqual([])
  expect(await shop.rows('select username, email, erased_at from users where erased_at is not null')).toEqual(
    [
      {
        username: expect.stringMatching(/^deleted-[0-9a-f]{20}$/),
        email: expect.stringMatching(/^[0-9a-f]{20}@deleted\.invalid$/),
        erased_at: expect.any(Date),
      },
    ],
  )
})
