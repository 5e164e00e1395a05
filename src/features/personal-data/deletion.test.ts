import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertAudit } from '../../../test/support/audit.ts'
import { countStatuses, expectFields, expectRefusal, soon, times } from '../../../test/support/expect.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ signups: true })
  // The books are older than every order of this file.
  const { user } = await shop.signUp('old')
  await shop.rows(`
    with old as (
      insert into products (seller_id, name, category, description, price_cents)
      values (${user.id}, 'Old mug', 'Art', 'An old mug', 100) returning id
    )
    insert into stock_ledger (product_id, units, reason, created_at)
    select id, 1, 'opening', now() - interval '90 days' from old`)
})
afterAll(() => shop.close())

const leave = (person: Person, reviews = 'keep', current_password = person.password) =>
  person.post('/api/account/deletion', { current_password, reviews })
const buy = async (person: Person, listing: { id: number }, quantity = 1) => {
  await person.post(`/api/cart_items/add/${listing.id}`, { quantity })
  return person.post('/api/orders/checkout')
}
const review = (person: Person, { id }: { id: number }, words = 'Lovely glaze.') =>
  person.post(`/api/reviews/${id}/create-review`, { review: words, stars: 4 })
const reviewsOf = async ({ id }: { id: number }) =>
  (await shop.visitor().get(`/api/reviews/${id}/reviews`)).body
/** Orders as if they had been placed long ago. */
const longAgo = (...ids: number[]) =>
  shop.rows(`update orders set created_at = now() - interval '61 days' where id in (${ids.join(', ')})`)
const audit = () => assertAudit(shop.connection, () => shop.files)

test('a deleted account is gone from every list at once, and its address leads nowhere', async () => {
  const ana = await shop.signUp('ana')
  const ben = await shop.signUp('ben')
  const mug = await shop.list(ana, { name: 'Quillwort mug' })
  await ben.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
  await ben.put(`/api/favourites/${mug.id}`)
  const page = `/shops/${ana.user.username}`
  const everywhere = [
    '/',
    '/search?q=quillwort',
    '/sitemaps/listings-0.xml',
    '/sitemaps/makers-0.xml',
    '/feeds/listings.json',
  ]
  const shown = async () =>
    (await Promise.all(everywhere.map(path => ben.get(path)))).map(({ body }) => JSON.stringify(body))
  expect((await shown()).filter(text => text.includes('uillwort')).length).toBeGreaterThan(2)
  expect((await ben.get(page)).status).toBe(200)
  const answer = await leave(ana)
  expect(answer).toMatchObject({ status: 200, body: { message: 'Account deleted' } })
  expect(ana.cookie).toBe('')
  for (const text of await shown()) {
    expect(text).not.toContain(`/products/${mug.id}`)
    expect(text).not.toContain(ana.user.username)
  }
  expect((await ben.get(page)).status).toBe(404)
  expect((await ben.get(`/api/shops/${ana.user.username}`)).status).toBe(404)
  expect((await ben.get(`/api/products/${mug.id}`)).status).toBe(404)
  const suggested = await ben.get(`/api/products/suggestions?q=quill`)
  expect(JSON.stringify(suggested.body)).not.toMatch(/quill/i)
  expect(await ben.get(`/api/cart_items/${ben.user.id}`)).toMatchObject({
    body: { cart_items: [{ product: null }] },
  })
  await audit()
})

test('another process sees new names and a deletion too', async () => {
  const other = await openShop({ database: shop.database })
  try {
    const ana = await shop.signUp('ana')
    const mug = await shop.list(ana)
    const visitor = other.visitor()
    const seen = async () => {
      const [listing, page] = [
        await visitor.get(`/api/products/${mug.id}`),
        await visitor.get(`/products/${mug.id}`),
      ]
      return [listing.status, page.status, listing.body.seller]
    }
    expect(await seen()).toEqual([200, 200, ana.user.username])
    const username = `new-${ana.user.username}`.slice(0, 30)
    const { first_name, last_name } = ana.user
    await ana.put('/api/account/names', { username, first_name, last_name })
    await expect.poll(seen, soon).toEqual([200, 200, username])
    await leave(ana)
    await expect.poll(seen, soon).toEqual([404, 404, undefined])
  } finally {
    await other.close()
  }
})

test('every session of a deleted account has ended, and its password opens nothing', async () => {
  const ana = await shop.signUp('ana')
  const phone = shop.visitor()
  const login = { email: ana.user.email, password: ana.password }
  await phone.post('/api/auth/login', login)
  expect((await phone.get('/api/auth/')).status).toBe(200)
  await leave(ana)
  expect((await phone.get('/api/auth/')).status).toBe(401)
  expect((await shop.visitor().post('/api/auth/login', login)).status).toBe(401)
})

test('a wrong password deletes nothing, and guesses are limited', async () => {
  const strict = await openShop({ signups: true, settings: { LIMITS: 'on', LIMIT_GUESSES: '3' } })
  try {
    const ana = await strict.signUp('ana')
    for (const guess of ['secret-2', 'secret-3', 'secret-4'])
      expectRefusal(await leave(ana, 'keep', guess), 400, 'The current password is not correct')
    expect((await leave(ana)).status).toBe(429)
    expect((await ana.get('/api/auth/')).status).toBe(200)
  } finally {
    await strict.close()
  }
})

test('the password and the fate of the reviews must be said', async () => {
  const ana = await shop.signUp('ana')
  expectRefusal(
    await ana.post('/api/account/deletion', {}),
    400,
    'Password is required',
    'Reviews must be kept or removed',
  )
})

test('running orders come first: those of a shopper, and those of a maker’s pieces', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const mug = await shop.list(ana, { name: 'Blue mug', stock: 9 })
  const { id } = (await buy(ben, mug, 2)).body
  expectRefusal(
    await leave(ana),
    409,
    'Some of your orders are still running',
    `Order ${id} waits for your pieces: Blue mug`,
  )
  expectRefusal(
    await leave(ben),
    409,
    'Some of your orders are still running',
    `Your order ${id} is pending: Blue mug`,
  )
  const pieces = [{ id: mug.id, name: 'Blue mug', quantity: 2 }]
  const created_at = expect.stringMatching(/^20\d\d-/)
  expect((await ana.get('/api/account/deletion')).body).toEqual({
    listings: 1,
    reviews: 0,
    running: [{ id, role: 'maker', created_at, pieces }],
  })
  expect((await ben.get('/api/account/deletion')).body.running).toEqual([
    { id, role: 'shopper', created_at, pieces },
  ])
  await ben.delete(`/api/orders/${id}/delete-order`)
  expect([(await leave(ana)).status, (await leave(ben)).status]).toEqual([200, 200])
  await audit()
})

test('what others have ordered stays as it was, and the books add up', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const mug = await shop.list(ana, { name: 'Green mug', stock: 9 })
  const order = (await buy(ben, mug, 3)).body
  await longAgo(order.id)
  expect((await leave(ana)).status).toBe(200)
  const [kept] = (await ben.get('/api/orders/')).body
  expect(kept).toMatchObject({ id: order.id, total: order.total, products_ordered: order.products_ordered })
  await audit()
  // Also after the shopper has cancelled, and has left too.
  await ben.delete(`/api/orders/${order.id}/delete-order`)
  await audit()
  expect((await leave(ben)).status).toBe(200)
  await audit()
})

test('reviews stay without a name, with their stars and their mark, and cannot be traced', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const mug = await shop.list(ana, { stock: 9 })
  await longAgo((await buy(ben, mug)).body.id)
  await review(ben, mug)
  expect((await leave(ben, 'keep')).status).toBe(200)
  const [kept] = await reviewsOf(mug)
  expect(kept).toMatchObject({
    review: 'Lovely glaze.',
    stars: 4,
    first_name: 'Deleted',
    last_name: 'account',
    verified: true,
    shop: null,
  })
  expect(kept.user_id).not.toBe(ben.user.id)
  expect(await shop.visitor().get(`/api/products/${mug.id}`)).toMatchObject({
    body: { review_count: 1, rating: 4 },
  })
  await audit()
})

test('or they go, and the ratings with them', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const mug = await shop.list(ana)
  await review(ben, mug)
  expect((await leave(ben, 'remove')).status).toBe(200)
  expect(await reviewsOf(mug)).toEqual([])
  expect((await shop.visitor().get(`/api/products/${mug.id}`)).body.review_count).toBe(0)
  await audit()
})

test('photos, documents and the picture go, with their files', async () => {
  const ana = await shop.signUp('ana')
  const mug = await shop.list(ana)
  const photo = pngOf(300, 200)
  const urls = [
    (await ana.upload(`/api/products/${mug.id}/images`, photo)).body.url,
    (await ana.upload(`/api/shops/${ana.user.username}/picture`, photo)).body.url,
  ]
  for (const url of urls) expect((await ana.get(url)).status).toBe(200)
  const before = (await ana.get('/api/auth/')).body.id
  await leave(ana)
  expect(await shop.rows(`select id from images where owner_id = ${before}`)).toEqual([])
  for (const url of urls) expect((await shop.visitor().get(url)).status).toBe(404)
  await audit()
})

test('the address can sign up again at once; the username is held for a year, and says nobody’s name', async () => {
  const ana = await shop.signUp('ana')
  const { username, email } = ana.user
  await leave(ana)
  const again = { first_name: 'Ana', last_name: 'Anew', password: 'secret-9', email }
  const visitor = shop.visitor()
  for (const taken of [username, username.toUpperCase(), username.replaceAll('0', 'O')])
    expectFields(await visitor.post('/api/auth/signup', { ...again, username: taken }), 400, {
      username: 'Username is already in use',
    })
  expect(
    (await visitor.post('/api/auth/signup', { ...again, username: `new-${username}`.slice(0, 30) })).status,
  ).toBe(201)
  const [held] = await shop.rows('select * from former_usernames order by id desc limit 1')
  expect(held).toMatchObject({ username: null, user_id: null })
  await shop.rows(`update former_usernames set held_until = now() where id = ${held.id}`)
  const other = shop.visitor()
  const fields = { ...again, username, email: `other-${email}` }
  expect((await other.post('/api/auth/signup', fields)).status).toBe(201)
})

test('a maker of thousands of listings changes their names and leaves like everybody', async () => {
  const ana = await shop.signUp('ana')
  for (let n = 0; n < 3; n++)
    await shop.rows(`
      with added as (
        insert into products (seller_id, name, category, description, price_cents)
        select ${ana.user.id}, 'Tile ' || n, 'Art', 'A glazed tile', 100 from generate_series(1, 1000) as n
        returning id
      )
      insert into stock_ledger (product_id, units, reason) select id, 1, 'opening' from added`)
  const { username, first_name } = ana.user
  expect((await ana.put('/api/account/names', { username, first_name, last_name: 'Tilemaker' })).status).toBe(
    200,
  )
  const found = await shop.visitor().get('/api/products/counts?q=tilemaker')
  expect(found.body.count).toBeGreaterThan(100)
  await audit()
  expect((await leave(ana)).status).toBe(200)
  expect(await shop.rows(`select 1 from catalogue where seller_id = ${ana.user.id}`)).toEqual([])
  await audit()
})

test('the demo account stays', async () => {
  const demo = await shop.signUp('demo')
  await shop.rows(`update users set email = 'demo@example.com' where id = ${demo.user.id}`)
  expectRefusal(await leave(demo), 403, 'The demo account is everybody’s: it stays as it is')
  await shop.rows(`update users set email = 'no-demo@example.com' where id = ${demo.user.id}`)
})

test('of ten deletions at once one deletes, and no other fails badly', async () => {
  const ana = await shop.signUp('ana')
  await shop.list(ana)
  const { cookie } = ana
  const answers = await times(10, () => {
    const tab = shop.visitor()
    tab.cookie = cookie
    return tab.post('/api/account/deletion', { current_password: ana.password, reviews: 'keep' })
  })
  const counts = countStatuses(answers)
  expect(counts[200]).toBe(1)
  expect(Object.keys(counts).every(status => ['200', '400', '401', '409'].includes(status))).toBe(true)
  await audit()
})

test('a sale at the same moment: the piece is sold and its maker stays, or the maker leaves and nothing is sold', async () => {
  for (let turn = 0; turn < 8; turn++) {
    const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
    const mug = await shop.list(ana, { stock: 1 })
    await ben.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
    const [sale, left] = await Promise.all([
      setTimeout(turn * 12).then(() => ben.post('/api/orders/checkout')),
      leave(ana),
    ])
    expect([
      [201, 409],
      [409, 200],
    ]).toContainEqual([sale.status, left.status])
  }
  await audit()
})

test('a checkout, a listing or a review of the same person at the same moment leaves nothing behind', async () => {
  for (let turn = 0; turn < 8; turn++) {
    const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
    const mug = await shop.list(ana, { stock: 9 })
    await ben.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
    const { cookie, user } = ben
    const tab = shop.visitor()
    tab.cookie = cookie
    const pause = () => setTimeout(turn * 12)
    const [left, ...others] = await Promise.all([
      leave(ben, 'remove'),
      pause().then(() => tab.post('/api/orders/checkout')),
      pause().then(() =>
        shop.list(tab).then(
          () => ({ status: 201 }),
          () => ({ status: 400 }),
        ),
      ),
      pause().then(() => review(tab, mug)),
      pause().then(() => tab.put(`/api/favourites/${mug.id}`)),
      pause().then(() => tab.put(`/api/shops/${user.username}`, { words: 'Still here', place: '' })),
    ])
    for (const { status } of [left, ...others]) expect(status).toBeLessThan(500)
    if (left.status !== 200) continue
    const refersTo = `
      select 1 from products where seller_id = ${user.id} union all select 1 from reviews where user_id = ${user.id}
      union all select 1 from orders where user_id = ${user.id} union all select 1 from users where id = ${user.id}`
    expect(await shop.rows(refersTo)).toEqual([])
    // What was listed or ordered before the deletion went with it, or kept the account.
    const live = `select 1 from products p join users u on u.id = p.seller_id where p.deleted_at is null and u.erased_at is not null`
    expect(await shop.rows(live)).toEqual([])
    expect(await reviewsOf(mug)).toEqual([])
  }
  await audit()
})

test('a listing that is being added is waited for, and goes too', async () => {
  const ana = await shop.signUp('ana')
  const adding = new pg.Client(shop.connection)
  await adding.connect()
  try {
    await adding.query('begin')
    const { rows } = await adding.query(
      `insert into products (seller_id, name, category, description, price_cents)
       values ($1, 'Late mug', 'Art', 'Just in time', 100) returning id`,
      [ana.user.id],
    )
    await adding.query(`insert into stock_ledger (product_id, units, reason) values ($1, 1, 'opening')`, [
      rows[0].id,
    ])
    const leaving = leave(ana)
    await expect
      .poll(
        () => shop.rows(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and state = 'active'`),
        soon,
      )
      .not.toEqual([])
    await adding.query('commit')
    expect((await leaving).status).toBe(200)
    expect((await shop.visitor().get(`/api/products/${rows[0].id}`)).status).toBe(404)
  } finally {
    await adding.end()
  }
  await audit()
})

test('a request that comes too late for its account is refused, not failed', async () => {
  const ana = await shop.signUp('ana')
  const adding = new pg.Client(shop.connection)
  await adding.connect()
  try {
    // As `deleteAccount` holds it.
    await adding.query('begin')
    await adding.query('delete from users where id = $1', [ana.user.id])
    const late = ana.post('/api/products/', aMug)
    await expect
      .poll(
        () => shop.rows(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and state = 'active'`),
        soon,
      )
      .not.toEqual([])
    await adding.query('commit')
    expectRefusal(await late, 409, 'What this belongs to has just been deleted. Please reload the page')
  } finally {
    await adding.end()
  }
})
