import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { leave, review, reviewsOf } from '../../../test/support/account-deletion.ts'
import { assertAudit } from '../../../test/support/audit.ts'
import { countStatuses, expectRefusal, soon, times } from '../../../test/support/expect.ts'
import { varied } from '../../../test/support/listings.ts'
import { aMug, openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ signups: true })
})
afterAll(() => shop.close())

/** A connection to the database of the shop, ended after the test. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client(shop.connection)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}
/** Waits until a statement waits for a lock. @param part of its text: a job may wait too, such as that of the letters */
const untilBlocked = (part: string) =>
  expect
    .poll(
      () =>
        shop.rows(`
        select from pg_stat_activity
        where wait_event_type = 'Lock' and state = 'active' and datname = current_database()
          and query like '%${part}%'`),
      soon,
    )
    .not.toEqual([])
const audit = () => assertAudit(shop.connection, () => shop.files)

test('of ten deletions at once one deletes, and no other fails badly', async () => {
  const ana = await shop.signUp('ana')
  await shop.list(ana)
  const { cookie } = ana
  const responses = await times(10, () => {
    const tab = shop.visitor()
    tab.cookie = cookie
    return tab.post('/api/account/deletion', { current_password: ana.password, reviews: 'keep' })
  })
  const counts = countStatuses(responses)
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
    // What was listed or ordered first is deleted too, or the deletion was refused.
    const live = `select 1 from products p join users u on u.id = p.seller_id where p.deleted_at is null and u.erased_at is not null`
    expect(await shop.rows(live)).toEqual([])
    expect(await reviewsOf(shop, mug)).toEqual([])
  }
  await audit()
})

test('a listing that is being added is waited for, and goes too', async () => {
  const ana = await shop.signUp('ana')
  const adding = await connect()
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
  await untilBlocked('')
  await adding.query('commit')
  expect((await leaving).status).toBe(200)
  expect((await shop.visitor().get(`/api/products/${rows[0].id}`)).status).toBe(404)
  await audit()
})

test('a request that comes too late for its account is refused, not failed', async () => {
  const ana = await shop.signUp('ana')
  const deleting = await connect()
  // As `deleteAccount` holds it.
  await deleting.query('begin')
  await deleting.query('delete from users where id = $1', [ana.user.id])
  const late = ana.post('/api/products/', aMug)
  await untilBlocked('for share of u')
  await deleting.query('commit')
  expectRefusal(await late, 409, 'What this belongs to has just been deleted. Please reload the page')
})

test('new names that come too late for their account are refused as those of a visitor', async () => {
  const ana = await shop.signUp('ana')
  const deleting = await connect()
  await deleting.query('begin')
  await deleting.query('delete from users where id = $1', [ana.user.id])
  const { first_name, last_name } = ana.user
  const late = ana.put('/api/account/names', { first_name, last_name, username: 'too-late' })
  await untilBlocked('for update')
  await deleting.query('commit')
  expectRefusal(await late, 401, 'Please log in')
})

test('a change that comes too late does not reach the review that stays without its author', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const mug = await shop.list(ana)
  const { id } = (await review(ben, mug)).body
  const deleting = await connect()
  await deleting.query('begin')
  await deleting.query('select from users where id = $1 for update', [ben.user.id])
  const late = ben.post(`/api/reviews/${id}/edit-review`, { review: 'Changed.', stars: 1 })
  await untilBlocked('users')
  await deleting.query('update reviews set user_id = $1 where id = $2', [ana.user.id, id])
  await deleting.query('commit')
  expectRefusal(await late, 404, 'You do not have a review to edit')
})

test('an account goes, also if an option is called as the id of another combination', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana, { variations: varied })
  await shop.rows(`update variants set options = array[(select min(id)::text from variants where product_id = ${id})]
    where id = (select max(id) from variants where product_id = ${id})`)
  expect((await leave(ana)).status).toBe(200)
  await audit()
})
