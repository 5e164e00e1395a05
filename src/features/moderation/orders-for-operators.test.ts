import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOperator } from '../../../test/support/operators.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { overview } from './overview.ts'

let shop: TestShop
let otto: Person
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
  ana = await shop.signUp('ana')
  ben = await shop.signUp('ben')
})
afterAll(() => shop.close())

test('an order is opened with its address, and the log says by whom and why', async () => {
  const { id } = await shop.list(ana, { stock: 2 })
  await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const order = (await ben.post('/api/orders/checkout')).body.id
  const rows = (await otto.get(`/api/operate/orders?q=${order}`)).body.rows
  expect(rows).toMatchObject([
    { id: order, maker: ana.user.username, shopper: ben.user.username, state: 'Pending', late: false },
  ])
  expect(JSON.stringify(rows)).not.toContain('address')
  const opened = await otto.post(`/api/operate/orders/${order}/open`, { reason: 'The parcel came back' })
  expect([opened.status, opened.body.id]).toEqual([200, order])
  const [entry] = (await otto.get('/api/operate/log?limit=1')).body.entries
  expect(entry).toMatchObject({
    action: 'order-opened',
    operator: otto.name,
    operator_username: otto.user.username,
    order_id: order,
    reason: 'The parcel came back',
  })
  expect((await otto.post('/api/operate/orders/999999999/open', { reason: 'x' })).status).toBe(404)
})

test('today says which orders are late, which letters failed, who applied, and how much room is left', async () => {
  const today = async () => (await otto.get('/api/operate/overview')).body
  const before = await today()
  const { disk } = await overview(shop.db, tmpdir())
  expect(disk?.total).toBeGreaterThan(disk?.free ?? Number.POSITIVE_INFINITY)
  const { id } = await shop.list(ana, { stock: 1 })
  await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const order = (await ben.post('/api/orders/checkout')).body.id
  await shop.rows(`update orders set ready_by = now() - interval '3 days' where id = ${order}`)
  await shop.rows(`insert into outbox (kind, subject, recipient, created_at, failed_at, last_error)
    values ('sale', ${order}, ${ana.user.id}, now(), now(), 'No such mailbox')`)
  await shop.rows(`insert into applications (user_id, words) values (${ben.user.id}, 'I carve spoons')`)
  expect(await today()).toMatchObject({
    late: before.late + 1,
    letters_failed: before.letters_failed + 1,
    applications: before.applications + 1,
  })
  expect((await otto.get('/operate', { accept: 'text/html' })).body).toContain('npm run mail -- list')
  const { rows } = (await otto.get(`/api/operate/orders?q=${order}`)).body
  expect(rows).toMatchObject([{ id: order, late: true }])
  // There is no seller any more who could send it.
  await shop.rows(`update users set erased_at = now() where id = ${ana.user.id}`)
  expect((await today()).late).toBe(before.late)
  const found = (await otto.get(`/api/operate/orders?late=true&q=${order}`)).body.rows
  await shop.rows(`update users set erased_at = null where id = ${ana.user.id}`)
  expect(found).toEqual([])
})

test('an order is found by its number, the names and addresses of both sides, and its state', async () => {
  const [cleo, dora] = [await shop.signUp('cleo'), await shop.signUp('dora')]
  const page = { words: '', place: cleo.town, name: 'Copper & Reed' }
  expect((await cleo.put(`/api/shops/${cleo.user.username}`, page)).status).toBe(200)
  const { id } = await shop.list(cleo)
  await dora.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const order = (await dora.post('/api/orders/checkout')).body.id
  const found = async (q: string) => {
    const { rows } = (await otto.get(`/api/operate/orders?q=${encodeURIComponent(q)}`)).body
    return rows.map(({ id }: { id: number }) => id)
  }
  for (const words of [
    `${order}`,
    `#${order}`,
    cleo.user.username,
    'copper & reed',
    dora.user.username,
    dora.user.email,
    cleo.user.email,
  ])
    expect([words, await found(words)]).toEqual([words, [order]])
  expect(await found('cancelled')).toEqual([])
  const atAGlance = async () => (await otto.get('/api/operate/overview')).body
  const before = await atAGlance()
  const sums = async () => (await otto.get(`/api/operate/orders?q=${order}`)).body.rows[0]
  const { total } = await sums()
  expect(await sums()).toMatchObject({ due: total })
  await dora.delete(`/api/orders/${order}/delete-order`)
  expect(await sums()).toMatchObject({ total, due: 0 })
  // Neither counted nor summed up.
  expect(await atAGlance()).toMatchObject({ orders: before.orders - 1 })
  expect((await atAGlance()).sales).toBeLessThan(before.sales)
  expect(await found('cancelled')).toEqual([order])
  expect(await found('nobody')).toEqual([])
  const makers = (await otto.get('/api/operate/people?q=copper')).body.rows
  expect(makers).toMatchObject([{ username: cleo.user.username }])
  expect((await otto.get('/api/operate/listings?q=copper')).body.rows).toMatchObject([{ id }])
})
