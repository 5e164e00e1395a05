import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findingsAfter, findingsIn, type Harm } from '../test/support/audit-findings.ts'
import { openOperator } from '../test/support/operators.ts'
import { openShop, type Person, type TestShop } from '../test/support/shop.ts'

let shop: TestShop
let ana: Person
let mug: number
let varied: number
let combination: number
let hidden: number
let suspended: number
let folder: string
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  mug = (await shop.list(ana, { stock: 20 })).id
  const variations = {
    variations: [{ title: 'Size', options: ['S'] }],
    combinations: [{ options: ['S'], price: 12, stock: 2, sku: 'AUDITED' }],
  }
  varied = (await shop.list(ana, { variations })).id
  const { body } = await ana.get(`/api/products/${varied}/details`)
  combination = body.variations.combinations[0].id
  const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  folder = (await ana.upload(`/api/products/${mug}/images`, photo)).body.url.split('/')[2]
  await ana.post(`/api/reviews/${mug}/create-review`, { review: 'Lovely', stars: 5 })
  const otto = await openOperator(shop)
  const ben = await shop.signUp('ben')
  await ben.post(`/api/reviews/${varied}/create-review`, { review: 'Buy at my shop', stars: 5 })
  hidden = (await ben.get(`/api/reviews/${varied}/reviews`)).body[0].id
  await otto.post(`/api/operate/reviews/${hidden}/hide`, { reason: 'Not a review', rule: '' })
  suspended = ben.user.id
  await otto.post(`/api/operate/people/${suspended}/suspend`, { reason: 'The same again', rule: '' })
  await order(2)
  await ana.post(`/api/cart_items/add/${mug}`, { quantity: 1 })
})
afterAll(() => shop.close())

async function order(quantity: number): Promise<number> {
  await ana.post(`/api/cart_items/add/${mug}`, { quantity })
  return (await ana.post('/api/orders/checkout')).body.id
}

const NO_DECISION = '✗ What is hidden or suspended has a decision that stands, and nothing else has'

test('a shop in use passes its audit', async () => {
  expect(await findingsIn(shop)).toEqual([])
})

test.each<Harm>([
  [
    'stock beside its ledger',
    () => `update stock set quantity = quantity - 1 where product_id = ${mug}`,
    () => `update stock set quantity = quantity + 1 where product_id = ${mug}`,
    () => ['✗ Stock is the sum of its ledger', `listing ${mug}: 17 in stock, 18 in the ledger`],
  ],
  [
    'a combination that contradicts its ledger and its listing',
    () => `update variants set quantity = 7, price_cents = 900 where sku = 'AUDITED'`,
    () => `update variants set quantity = 2, price_cents = 1200 where sku = 'AUDITED'`,
    () => [
      '✗ Combinations have the stock of their ledger, and a listing their lowest price and their sum',
      `combination ${combination} of listing ${varied}: 7 in stock, 2 in the ledger`,
      `listing ${varied}: 1200 cents and 2 in stock, its combinations 900 and 7`,
    ],
  ],
  [
    'variations without a combination',
    () => `update variants set deleted_at = now() where sku = 'AUDITED'`,
    () => `update variants set deleted_at = null where sku = 'AUDITED'`,
    () => [
      '✗ Combinations have the stock of their ledger, and a listing their lowest price and their sum',
      `listing ${varied}: variations without combinations, or the other way round`,
    ],
  ],
  [
    'a listing for sale whose maker is suspended',
    () => `update users set suspended_at = now() where id = ${ana.user.id}`,
    () => `update users set suspended_at = null where id = ${ana.user.id}`,
    () => [
      '✗ The listings of suspended makers are suspended, and no others',
      `listing ${mug}: for sale, its maker is suspended`,
      `listing ${varied}: for sale, its maker is suspended`,
      NO_DECISION,
      `person ${ana.user.id}: hidden or suspended, no decision stands`,
    ],
  ],
  [
    'a suspended listing whose maker is not',
    () => `update products set suspended_at = now(), deleted_at = now() where id = ${varied}`,
    () => `update products set suspended_at = null, deleted_at = null where id = ${varied}`,
    () => [
      '✗ The listings of suspended makers are suspended, and no others',
      `listing ${varied}: suspended, its maker is not`,
    ],
  ],
  [
    'a hidden reply without a decision',
    () =>
      `update reviews set reply = 'Thanks', replied_at = now(), reply_hidden_at = now() where id = ${hidden}`,
    () => `update reviews set reply = null, replied_at = null, reply_hidden_at = null where id = ${hidden}`,
    () => [NO_DECISION, `reply to review ${hidden}: hidden or suspended, no decision stands`],
  ],
  [
    'a suspended person who is not suspended any more',
    () => `update users set suspended_at = null where id = ${suspended}`,
    () => `update users set suspended_at = now() where id = ${suspended}`,
    () => [NO_DECISION, `person ${suspended}: shown, a decision stands`],
  ],
  [
    'a hidden listing without a decision',
    () => `update products set hidden_at = now(), deleted_at = now() where id = ${varied}`,
    () => `update products set hidden_at = null, deleted_at = null where id = ${varied}`,
    () => [NO_DECISION, `listing ${varied}: hidden or suspended, no decision stands`],
  ],
  [
    'a hidden review that is shown',
    () => `update reviews set hidden_at = null where id = ${hidden}`,
    () => `update reviews set hidden_at = now() where id = ${hidden}`,
    () => [
      '✗ Ratings are the sum of the reviews',
      `listing ${varied}: 1 reviews with 5 stars, 0 and 0 in its rating`,
      NO_DECISION,
      `review ${hidden}: shown, a decision stands`,
    ],
  ],
  [
    'a rating beside its reviews',
    () => `update ratings set stars = 4 where product_id = ${mug}`,
    () => `update ratings set stars = 5 where product_id = ${mug}`,
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
    () => `update reviews set id = ${mug} where product_id = ${mug}; update cart_lines set id = 999999`,
    () =>
      `update reviews set id = nextval('ids') where product_id = ${mug}; update cart_lines set id = nextval('ids')`,
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
  expect(await findingsAfter(shop, harm(), repair())).toEqual(expected())
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
  expect(await findingsIn(shop)).toEqual([
    '✗ Every picture has its files',
    expect.stringContaining(`${folder}/320.webp is missing`),
    expect.stringContaining(`${folder}/400.webp is missing`),
  ])
  await shop.files.put(pictures, folder)
  expect(await findingsIn(shop)).toEqual([])
})

test('reports the first twenty findings', async () => {
  await sql`alter table orders add constraint long check (true) not valid`.execute(shop.db)
  for (let n = 0; n < 25; n++)
    await sql.raw(`alter table orders add constraint long_${n} check (true) not valid`).execute(shop.db)
  const found = await findingsIn(shop)
  expect([found.length, found.at(-1)]).toEqual([22, '… and more'])
})
