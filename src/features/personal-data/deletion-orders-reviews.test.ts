import { afterAll, beforeAll, expect, test } from 'vitest'
import { leave, review, reviewsOf } from '../../../test/support/account-deletion.ts'
import { assertAudit } from '../../../test/support/audit.ts'
import { expectRefusal } from '../../../test/support/expect.ts'
import { anAddress } from '../../../test/support/fixtures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

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
    select id, 1, 'opening', now() - interval '200 days' from old`)
})
afterAll(() => shop.close())

const buy = async (person: Person, listing: { id: number }, quantity = 1) => {
  await person.post(`/api/cart_items/add/${listing.id}`, { quantity })
  return person.post('/api/orders/checkout')
}
/** Orders as if they had been placed long ago. */
const longAgo = (...ids: number[]) =>
  shop.rows(`update orders set created_at = now() - interval '181 days' where id in (${ids.join(', ')})`)
const audit = () => assertAudit(shop.connection, () => shop.files)

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
    drafts: 0,
    reviews: 0,
    running: [{ id, role: 'maker', state: 'open', created_at, pieces }],
  })
  expect((await ben.get('/api/account/deletion')).body.running).toEqual([
    { id, role: 'shopper', state: 'open', created_at, pieces },
  ])
  await ben.delete(`/api/orders/${id}/delete-order`)
  expect([(await leave(ana)).status, (await leave(ben)).status]).toEqual([200, 200])
  await audit()
})

test('an order of which a piece is sent or cancelled leads to its page, since it cannot be cancelled', async () => {
  for (const [what, action] of [
    ['parcels', {}],
    ['cancel', { reason: 'It cracked' }],
  ] as const) {
    const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
    const mug = await shop.list(ana, { name: 'Grey mug', stock: 9 })
    const { id } = (await buy(ben, mug, 2)).body
    const page = async () => (await ben.get('/settings/account/delete', { accept: 'text/html' })).body
    const preview = async () => (await ben.get('/api/account/deletion')).body.running
    const [pending] = await preview()
    expect(await page()).toContain(`>Cancel order ${id}<`)
    const lines = [{ id: mug.id, quantity: 1 }]
    expect((await ana.post(`/api/sales/${id}/${what}`, { ...action, lines })).status).toBeLessThan(300)
    expect((await ben.delete(`/api/orders/${id}/delete-order`)).status).toBe(409)
    const quantity = what === 'cancel' ? 1 : 2
    const pieces = [{ id: mug.id, name: 'Grey mug', quantity }]
    expect(await preview()).toEqual([{ ...pending, begun: true, pieces }])
    const shown = await page()
    expect(shown).toMatch(new RegExp(`href="/orders/${id}"[^>]*>Order ${id}: ask the maker about the rest<`))
    expect(shown).not.toContain(`/orders/${id}/delete-order`)
    expectRefusal(
      await leave(ben),
      409,
      'Some of your orders are still running',
      `Your order ${id} is not finished: Grey mug`,
    )
  }
})

test('what others have ordered stays as it was, and the books add up', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const mug = await shop.list(ana, { name: 'Green mug', stock: 9 })
  const order = (await buy(ben, mug, 3)).body
  await longAgo(order.id)
  expect((await leave(ana)).status).toBe(200)
  const [own] = (await ben.get('/api/orders/')).body
  expect(own).toMatchObject({ id: order.id, total: order.total, products_ordered: order.products_ordered })
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
  const [anonymous] = await reviewsOf(shop, mug)
  expect(anonymous).toMatchObject({
    review: 'Lovely glaze.',
    stars: 4,
    first_name: 'Deleted',
    last_name: 'account',
    verified: true,
    shop: null,
  })
  expect(anonymous.user_id).not.toBe(ben.user.id)
  expect(await shop.visitor().get(`/api/products/${mug.id}`)).toMatchObject({
    body: { review_count: 1, rating: 4 },
  })
  await audit()
})

test('a deletion can delete the reviews too, and the ratings follow', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const mug = await shop.list(ana)
  await review(ben, mug)
  expect((await leave(ben, 'remove')).status).toBe(200)
  expect(await reviewsOf(shop, mug)).toEqual([])
  expect((await shop.visitor().get(`/api/products/${mug.id}`)).body.review_count).toBe(0)
  await audit()
})

test('during an upgrade, the release before deletes accounts too, without knowing of parcels', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const mug = await shop.list(ana, { stock: 9 })
  await longAgo((await buy(ben, mug)).body.id)
  await ana.post('/api/addresses/', anAddress)
  await ben.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
  await shop.rows(`insert into cart_choices (user_id, seller_id) values (${ben.user.id}, ${ana.user.id})`)
  const [{ id }] = await shop.rows(`
    insert into users (username, email, first_name, last_name, password_hash, erased_at)
    values ('deleted-x', 'x@deleted.invalid', 'Deleted', 'account', '', now()) returning id`)
  await shop.rows(
    `update products set seller_id = ${id}, deleted_at = now() where seller_id = ${ana.user.id}`,
  )
  await shop.rows(`delete from users where id = ${ana.user.id}`)
  expect(await shop.rows(`select seller_id from orders where user_id = ${ben.user.id}`)).toEqual([
    { seller_id: id },
  ])
  expect(await shop.rows('select from addresses')).toEqual([])
  await audit()
})
