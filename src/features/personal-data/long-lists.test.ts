import { strFromU8, unzipSync } from 'fflate'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addSales } from '../../../bench/sales.ts'
import { soon } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { archiveOf } from './archive.ts'
import { PAGE_SIZE } from './pages.ts'

const MANY = 2 * PAGE_SIZE + 1

let shop: TestShop
let maker: Person
beforeAll(async () => {
  shop = await openShop()
  maker = await shop.signUp('maker')
  await shop.signUp('shopper')
  const { id } = await shop.list(maker)
  await shop.rows(`insert into products (seller_id, name, category, description, price_cents)
    select seller_id, name, category, description, price_cents from products, generate_series(1, ${MANY}) where id = ${id}`)
  await shop.rows(`insert into operator_log (by_command, action, person_id, reason)
    select true, 'person-restored', ${maker.user.id}, 'Enough' from generate_series(1, ${MANY})`)
  await shop.rows(`insert into drafts (seller_id, fields)
    select ${maker.user.id}, '{"name": "Mug"}' from generate_series(1, ${MANY})`)
  const client = new pg.Client(shop.connection as pg.ClientConfig)
  await client.connect()
  await addSales(client, maker.user.id, MANY)
  await client.end()
})
afterAll(() => shop.close())

const archive = ({ user }: Person) => archiveOf('Thrum', shop.db, shop.app.files, user.id)
const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)
const stored = async (table: string) =>
  idsOf(await shop.rows(`select id from ${table} where seller_id = ${maker.user.id} order by id`))

test('lists of several pages are whole and in order, and an empty one is empty', async () => {
  const files = unzipSync(Buffer.concat(await Array.fromAsync(archive(maker))))
  const { orders, sold, sales, listings, drafts, notices, conversations } = JSON.parse(
    strFromU8(files['data.json'] ?? new Uint8Array()),
  )
  expect(idsOf(sales)).toHaveLength(MANY)
  expect(idsOf(sales)).toEqual(await stored('orders'))
  expect([...new Set(sold.map((line: { order_id: number }) => line.order_id))]).toEqual(idsOf(sales))
  const [{ count }] = await shop.rows(
    `select count(*)::int from order_lines join orders as o on o.id = order_id where o.seller_id = ${maker.user.id}`,
  )
  expect(sold).toHaveLength(count)
  expect(idsOf(listings)).toEqual(await stored('products'))
  expect(idsOf(drafts)).toEqual(await stored('drafts'))
  const own = await shop.rows(`select id from orders where user_id = ${maker.user.id} order by id`)
  expect(idsOf(orders)).toEqual(idsOf(own as never))
  const decided = await shop.rows(
    `select id from operator_log where person_id = ${maker.user.id} order by id`,
  )
  expect(decided).toHaveLength(MANY)
  expect(idsOf(notices)).toEqual(idsOf(decided as never))
  expect(conversations).toEqual([])
})

test('an archive that is given up ends its transaction', async () => {
  const inTransaction = async () =>
    (
      await shop.rows(`select from pg_stat_activity
        where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`)
    ).length
  const stream = archive(maker)
  const pieces = stream[Symbol.asyncIterator]()
  let text = ''
  while (!text.includes('"listings"')) text += Buffer.from((await pieces.next()).value).toString()
  const before = await inTransaction()
  stream.destroy()
  expect(before).toBeGreaterThan(0)
  await expect.poll(inTransaction, soon).toBe(0)
})
