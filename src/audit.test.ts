import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Person, type TestShop } from '../test/support/shop.ts'
import { audit } from './audit.ts'
import { createClient } from './platform/database/database.ts'

let shop: TestShop
let ana: Person
let mug: number
let placed: number
let cancelled: number
let folder: string
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  mug = (await shop.list(ana, { stock: 20 })).id
  const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  folder = (await ana.upload(`/api/products/${mug}/images`, photo)).body.url.split('/')[2]
  await ana.post(`/api/reviews/${mug}/create-review`, { review: 'Lovely', stars: 5 })
  placed = await order(2)
  cancelled = await order(3)
  await ana.delete(`/api/orders/${cancelled}/delete-order`)
  await ana.post(`/api/cart_items/add/${mug}`, { quantity: 1 })
})
afterAll(() => shop.close())

async function order(quantity: number): Promise<number> {
  await ana.post(`/api/cart_items/add/${mug}`, { quantity })
  return (await ana.post('/api/orders/checkout')).body.id
}

async function findings(): Promise<string[]> {
  const client = createClient(shop.connection)
  await client.connect()
  const lines: string[] = []
  await audit(client, shop.files, line => lines.push(line))
  await client.end()
  return lines.filter(line => !line.startsWith('✓')).map(line => line.trim())
}

/** Makes a change that the database refuses otherwise, runs the audit, and reverts it. */
async function findingsAfter(harm: string, repair: string): Promise<string[]> {
  const quietly = (statement: string) =>
    sql
      .raw(
        ['stock', 'stock_ledger', 'reviews']
          .map(table => `alter table ${table} disable trigger user`)
          .concat(statement)
          .concat(
            ['stock', 'stock_ledger', 'reviews'].map(table => `alter table ${table} enable trigger user`),
          )
          .join(';'),
      )
      .execute(shop.db)
  await quietly(harm)
  const found = await findings()
  await quietly(repair)
  expect(await findings()).toEqual([])
  return found
}

test('a shop in use passes its audit', async () => {
  expect(await findings()).toEqual([])
})

test.each<[what: string, harm: () => string, repair: () => string, expected: () => string[]]>([
  [
    'stock beside its books',
    () => 'update stock set quantity = quantity - 1',
    () => 'update stock set quantity = quantity + 1',
    () => ['✗ Stock is the sum of its books', `listing ${mug}: 17 in stock, 18 in the books`],
  ],
  [
    'a sale that no order holds',
    () =>
      `update order_lines set quantity = 1 where order_id = ${placed}; update orders set total_cents = 2450 where id = ${placed}`,
    () =>
      `update order_lines set quantity = 2 where order_id = ${placed}; update orders set total_cents = 4900 where id = ${placed}`,
    () => [
      '✗ What the books sold is what orders hold',
      `order ${placed}, listing ${mug}: 1 ordered, 2 in the books`,
    ],
  ],
  [
    'an order that gave nothing back',
    () => `update orders set status = 'Cancelled', cancelled_at = now() where id = ${placed}`,
    () =>
      `alter table order_events disable trigger user; alter table order_event_units disable trigger user;
       delete from order_event_units where order_id = ${placed}; delete from order_events where order_id = ${placed};
       alter table order_events enable trigger user; alter table order_event_units enable trigger user;
       update order_lines set cancelled = 0 where order_id = ${placed};
       update orders set status = 'Pending', cancelled_at = null, is_open = true where id = ${placed}`,
    () => [
      '✗ What was cancelled gave its stock back, and nothing else did',
      `order ${placed}, listing ${mug}: 2 cancelled, nothing given back`,
    ],
  ],
  [
    'a status that does not follow from the lines',
    () => `update orders set status = 'Part sent', cancelled_at = null where id = ${cancelled}`,
    () => `update orders set status = 'Cancelled', cancelled_at = now() where id = ${cancelled}`,
    () => [
      '✗ The status of an order follows from its lines',
      `order ${cancelled}: Part sent, of 3 pieces 0 are sent and 3 cancelled`,
    ],
  ],
  [
    'a line beside what happened to it',
    () => `update order_lines set sent = 1 where order_id = ${placed}`,
    () => `update order_lines set sent = 0 where order_id = ${placed}`,
    () => [
      '✗ What is sent and cancelled of a line is what happened',
      `order ${placed}, listing ${mug}: 1 sent and 0 cancelled, in events 0 and 0`,
      '✗ The status of an order follows from its lines',
      `order ${placed}: Pending, of 2 pieces 1 are sent and 0 cancelled`,
    ],
  ],
  [
    'a total that is not the sum',
    () => `update orders set total_cents = total_cents + 1 where id = ${placed}`,
    () => `update orders set total_cents = total_cents - 1 where id = ${placed}`,
    () => [
      '✗ The total of an order is the sum of its lines and its postage',
      `order ${placed}: total 4901 cents, of which postage 0, lines 4900`,
    ],
  ],
  [
    'a status without its time',
    () => `update orders set cancelled_at = now() where id = ${placed}`,
    () => `update orders set cancelled_at = null where id = ${placed}`,
    () => [
      '✗ An order is cancelled at a time, and no other has one',
      expect.stringContaining(`order ${placed}: Pending`),
    ],
  ],
  [
    'a rating beside its reviews',
    () => 'update ratings set stars = 4',
    () => 'update ratings set stars = 5',
    () => [
      '✗ Ratings are the sum of the reviews',
      `listing ${mug}: 1 reviews with 5 stars, 1 and 4 in its rating`,
    ],
  ],
  [
    'a catalogue that says something else than the listing',
    () => `update catalogue set price_cents = 1, stems = '' where product_id = ${mug}`,
    () =>
      `delete from catalogue where product_id = ${mug}; insert into catalogue select * from catalogue_source where product_id = ${mug}`,
    () => ['✗ The catalogue says what the listings say', `listing ${mug}: differs from its row`],
  ],
  [
    'an id that names two things, and is ahead of its sequence',
    () => `update reviews set id = ${mug}; update cart_lines set id = 999999`,
    () => `update reviews set id = nextval('ids'); update cart_lines set id = nextval('ids')`,
    () => [
      '✗ An id names one thing, and the next one is new',
      `${mug}: products and reviews`,
      expect.stringMatching(/^id 999999 is given, and the sequence is at \d+$/),
    ],
  ],
  [
    'a rule that does not hold for all rows, and a trigger that is off',
    () =>
      'alter table orders add constraint never check (false) not valid; alter table products disable trigger products_changed',
    () => 'alter table orders drop constraint never; alter table products enable trigger products_changed',
    () => [
      '✗ Every rule and every trigger of the database is switched on',
      'orders: never does not hold for all rows',
      'products: trigger products_changed is off',
    ],
  ],
])('finds %s', async (_, harm, repair, expected) => {
  expect(await findingsAfter(harm(), repair())).toEqual(expected())
})

test('finds a picture without its files', async () => {
  const names = (await shop.files.contents(folder)).map(({ name }) => name)
  const pictures = await Promise.all(
    names.map(async name => ({
      name,
      bytes: Buffer.concat(await Array.fromAsync((await shop.files.open(folder, name))?.stream ?? [])),
    })),
  )
  await shop.files.remove(folder)
  expect(await findings()).toEqual([
    '✗ Every picture has its files',
    expect.stringContaining(`${folder}/320.webp is missing`),
    expect.stringContaining(`${folder}/400.webp is missing`),
  ])
  await shop.files.put(pictures, folder)
  expect(await findings()).toEqual([])
})

test('reports the first twenty findings', async () => {
  await sql`alter table orders add constraint long check (true) not valid`.execute(shop.db)
  for (let n = 0; n < 25; n++)
    await sql.raw(`alter table orders add constraint long_${n} check (true) not valid`).execute(shop.db)
  const found = await findings()
  expect([found.length, found.at(-1)]).toEqual([22, '… and more'])
})
