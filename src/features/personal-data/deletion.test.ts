import { afterAll, beforeAll, expect, test } from 'vitest'
import { add } from '#operators/operators.ts'
import { leave } from '../../../test/support/account-deletion.ts'
import { assertAudit } from '../../../test/support/audit.ts'
import { expectFields, expectRefusal, soon } from '../../../test/support/expect.ts'
import { nameOperator } from '../../../test/support/operators.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ signups: true })
})
afterAll(() => shop.close())

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
  const response = await leave(ana)
  expect(response).toMatchObject({ status: 200, body: { message: 'Account deleted' } })
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

test('the password and the choice about the reviews are required', async () => {
  const ana = await shop.signUp('ana')
  expectRefusal(
    await ana.post('/api/account/deletion', {}),
    400,
    'Password is required',
    'Reviews must be kept or removed',
  )
})

test('photos, documents and the pictures of the shop page go, with their files', async () => {
  const ana = await shop.signUp('ana')
  const mug = await shop.list(ana)
  const photo = pngOf(300, 200)
  const urls = [
    (await ana.upload(`/api/products/${mug.id}/images`, photo)).body.url,
    (await ana.upload(`/api/shops/${ana.user.username}/picture`, photo)).body.url,
    (await ana.upload(`/api/shops/${ana.user.username}/banner`, photo)).body.url,
  ]
  for (const url of urls) expect((await ana.get(url)).status).toBe(200)
  const before = (await ana.get('/api/auth/')).body.id
  await leave(ana)
  expect(await shop.rows(`select id from images where owner_id = ${before}`)).toEqual([])
  for (const url of urls) expect((await shop.visitor().get(url)).status).toBe(404)
  await audit()
})

test('the address can sign up again at once; the username is held for a year, by hashes alone', async () => {
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
  for (let n = 0; n < 12; n++)
    await shop.rows(`
      with added as (
        insert into products (seller_id, name, category, description, price_cents)
        select ${ana.user.id}, 'Tile ' || n, 'Art', 'A glazed tile', 100 from generate_series(1, 250) as n
        returning id
      )
      insert into stock_ledger (product_id, units, reason) select id, 1, 'opening' from added`)
  const { username, first_name } = ana.user
  const names = { username, first_name, last_name: 'Tilemaker' }
  expect((await ana.put('/api/account/names', names)).status).toBe(200)
  const shown = { words: '', place: '', shows_name: true }
  expect((await ana.put(`/api/shops/${username}`, shown)).status).toBe(200)
  const found = await shop.visitor().get('/api/products/counts?q=tilemaker')
  expect(found.body.count).toBeGreaterThan(100)
  await audit()
  expect((await leave(ana)).status).toBe(200)
  expect(await shop.rows(`select 1 from catalogue where seller_id = ${ana.user.id}`)).toEqual([])
  await audit()
})

test('the last operator names another one first', async () => {
  const [otto, olga] = [await nameOperator(shop, 'otto'), await shop.signUp('olga')]
  const isToldBefore = async (person: Person) => {
    const { body } = await person.get('/api/account/deletion')
    const page = await person.get('/settings/account/delete', { accept: 'text/html' })
    return [body.last_operator, String(page.body).includes('You are the last operator of this shop')]
  }
  expect(await isToldBefore(otto)).toEqual([true, true])
  expect(await isToldBefore(olga)).toEqual([undefined, false])
  expectRefusal(await leave(otto), 409, 'The last operator stays. Name another one first')
  expect((await otto.get('/api/auth/')).status).toBe(200)
  await add(shop.db, null, olga.user.email, 'They help at the fair')
  expect(await isToldBefore(otto)).toEqual([undefined, false])
  // Of two who leave at once, one stays.
  const both = await Promise.all([leave(otto), leave(olga)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await shop.rows('select count(*)::int as count from operators')).toEqual([{ count: 1 }])
})

test('what goes is counted before: retired pieces and drafts too', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana, { name: 'Old mug' })
  await ana.post(`/api/products/${id}/retire`)
  await shop.list(ana, { name: 'New mug' })
  await ana.post('/api/drafts/', { fields: { name: 'Half a mug' } })
  expect((await ana.get('/api/account/deletion')).body).toMatchObject({ listings: 2, drafts: 1 })
})

test('the demo account stays', async () => {
  const demo = await shop.signUp('demo')
  await shop.rows(`update users set email = 'demo@example.com' where id = ${demo.user.id}`)
  expectRefusal(await leave(demo), 403, 'The demo account is everybody’s: it stays as it is')
  await shop.rows(`update users set email = 'no-demo@example.com' where id = ${demo.user.id}`)
})
