import { expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { addSize, large, sizes, small, varied } from '../../../test/support/listings.ts'
import { aMug } from '../../../test/support/shop.ts'
import { VariedListings } from '../../../test/support/varied-listings.ts'

// What a maker does with variations. What a shopper does: src/features/cart/chosen-combinations.test.ts.

const varying = new VariedListings()
const { list, at, details, stocks, save } = varying

test('price and stock of the listing are the lowest price, and the sum', async () => {
  const mug = await list()
  expect([mug.price, mug.stock]).toEqual([12, 5])
  expect(await details(mug.id)).toEqual({
    variations: [sizes],
    combinations: [
      { id: expect.any(Number), ...small },
      { id: expect.any(Number), ...large },
    ],
  })
  const found = (await varying.ana.get('/api/products/?max_price=12')).body
  expect(JSON.stringify(found)).toContain(`"id":${mug.id},`)
})

test('a listing is found by its options, also where a word of them is misspelt', async () => {
  const glazes = (option: string) => ({
    variations: [{ title: 'Glaze', options: [option] }],
    combinations: [{ options: [option], price: 12, stock: 1 }],
  })
  const { id } = await list(glazes('Celadonite'))
  const found = async (q: string) =>
    (await varying.ana.get(`/api/products/?q=${q}`)).body.products.map(
      (listing: { id: number }) => listing.id,
    )
  expect(await found('celadonite')).toEqual([id])
  expect(await found('celadonyte')).toEqual([id])
  await save(id, glazes('Oxblood'))
  expect([await found('celadonite'), await found('oxblood')]).toEqual([[], [id]])
})

test('lists say whether some combinations cost more', async () => {
  const listed = async (id: number) =>
    (await varying.ana.get('/api/products/?limit=100')).body.products.find(
      (each: { id: number }) => each.id === id,
    )
  const { id } = await list()
  expect(await listed(id)).toMatchObject({ price: 12, price_varies: true })
  await save(id, { variations: [sizes], combinations: [small, { ...large, price: 12 }] })
  expect(await listed(id)).toMatchObject({ price: 12, price_varies: false })
  expect(await at((await varying.shop.list(varying.ana)).id)).toMatchObject({ price_varies: false })
})

test('a change keeps what was sold since, and a combination that is left out is not for sale', async () => {
  const { id } = await list()
  const ben = await varying.shop.signUp('ben')
  await addSize(ben, id, 'Large')
  await ben.post('/api/orders/checkout')
  const shown = (n: number) => ({ stock_shown: n })
  const more = await save(id, {
    variations: [{ ...sizes, options: ['Large', 'Huge'] }],
    combinations: [
      { ...large, ...shown(3), stock: 5 },
      { options: ['Huge'], price: 30, stock: 1 },
    ],
  })
  expect(more.body).toMatchObject({ price: 18.5, stock: 5, version: 2 })
  expect(await stocks(id)).toEqual([4, 1])
  expect((await addSize(ben, id, 'Small')).status).toBe(400)
  // Brought back, it is the same combination.
  await save(id, varied)
  expect(await stocks(id)).toEqual([2, 3])
  expect(
    (await save(id, { variations: [sizes], combinations: [{ ...small, ...shown(9), stock: 1 }] })).body,
  ).toMatchObject({
    message: 'Some were sold meanwhile: 2 of Small left',
  })
  expect(await stocks(id)).toEqual([2, 3])
})

test('combinations that are left out and that nothing names are deleted', async () => {
  const { id } = await list()
  const named = (n: number) => ({
    variations: [{ ...sizes, options: ['Large', `Size ${n}`] }],
    combinations: [large, { options: [`Size ${n}`], price: 30, stock: 0 }],
  })
  for (const n of [1, 2, 3]) expect((await save(id, named(n))).status).toBe(200)
  const left = await varying.shop.rows(
    `select options from variants where product_id = ${id} order by options`,
  )
  // Small has had stock.
  expect(left).toEqual([{ options: ['Large'] }, { options: ['Size 3'] }, { options: ['Small'] }])
})

test('a listing becomes one with variations, and one piece again', async () => {
  const { id } = (await varying.ana.post('/api/products/', aMug)).body
  const ben = await varying.shop.signUp('ben')
  await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  expect((await save(id, varied)).body).toMatchObject({ price: 12, stock: 5 })
  const [line] = (await ben.get(`/api/cart_items/${ben.user.id}`)).body.cart_items
  expect(line.product.refusal).toContain('The maker has changed what they ask about Speckled mug')
  expect((await ben.post('/api/orders/checkout')).status).toBe(409)
  const plain = await save(
    id,
    { variations: [], combinations: [] },
    { price: 9, stock: 4, stock_shown: undefined },
  )
  expect(plain.body).toMatchObject({ price: 9, stock: 4 })
  expect(await details(id)).toEqual({ variations: [], combinations: [] })
  expect((await ben.post('/api/orders/checkout')).body).toMatchObject({ total: 9 })
})

test('price and stock are changed by combination, not for the listing', async () => {
  const { id } = await list()
  const put = (change: object) =>
    varying.ana.put(`/api/products/${id}`, { ...aMug, price: 12, stock: 5, ...change })
  expect((await put({ name: 'Round mug' })).body).toMatchObject({ name: 'Round mug', price: 12, stock: 5 })
  expectRefusal(
    await put({ price: 10, stock: 9 }),
    400,
    'This listing has variations: change the price of each combination',
    'This listing has variations: change the stock of each combination',
  )
  expect((await put({ price: 12, stock: 5, stock_shown: 5 })).status).toBe(200)
})

test('search engines read each combination', async () => {
  const { id } = await list()
  const page = (await varying.shop.visitor().get(`/products/${id}`)).body as string
  const group = JSON.parse(page.match(/<script type="application\/ld\+json">(.*?)<\/script>/)?.[1] ?? '{}')
  expect(JSON.stringify(group)).toContain('"@type":"ProductGroup"')
  expect(JSON.stringify(group)).toContain('"name":"Speckled mug, Large"')
})
