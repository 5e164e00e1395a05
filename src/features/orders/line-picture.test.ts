import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOperator } from '../../../test/support/operators.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let mila: Person
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ;[mila, ana] = [await shop.signUp('mila'), await shop.signUp('ana')]
})
afterAll(() => shop.close())

const upload = async (id: number): Promise<string> =>
  (await mila.upload(`/api/products/${id}/images`, pngOf(40, 30))).body.url
/** Addresses of the pictures of Ana's latest order, in each answer about it. */
async function picturesOf(id: number): Promise<(string | undefined)[]> {
  const [order] = (await ana.get('/api/orders/?limit=1')).body
  const [all] = (await ana.get('/api/orders/all?limit=1')).body.orders
  const lines = [
    order.products_ordered[0],
    all.lines[0],
    (await ana.get(`/api/orders/${id}/detail`)).body.lines[0],
    (await mila.get(`/api/sales/${id}`)).body.lines[0],
  ]
  return lines.map(({ image_url }) => image_url)
}
const order = async (body: object) => (await ana.post('/api/orders/checkout', body)).body.id
const four = (url: string | undefined) => [url, url, url, url]

test('a line of an order has the cover of its listing, while that is public', async () => {
  const otto = await openOperator(shop)
  const { id } = await shop.list(mila)
  await ana.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const placed = await order({})
  expect(await picturesOf(placed)).toEqual(four(undefined))
  const cover = await upload(id)
  await upload(id)
  expect(await picturesOf(placed)).toEqual(four(cover))
  const reason = { reason: 'The photo is not yours' }
  await otto.post(`/api/operate/listings/${id}/hide`, { ...reason, rule: '' })
  expect(await picturesOf(placed)).toEqual(four(undefined))
  await otto.post(`/api/operate/listings/${id}/show`, reason)
  expect(await picturesOf(placed)).toEqual(four(cover))
  await otto.post(`/api/operate/people/${mila.user.id}/suspend`, { ...reason, rule: '' })
  expect(await picturesOf(placed)).toEqual(four(undefined))
  await otto.post(`/api/operate/people/${mila.user.id}/restore`, reason)
  await mila.delete(`/api/products/${id}`)
  expect(await picturesOf(placed)).toEqual(four(undefined))
})

test('a line of a combination has the photo of that', async () => {
  const combination = (option: string, photo: number | null) => ({
    ...{ options: [option], price: 12, stock: 3, sku: '' },
    photo,
  })
  const variations = [{ title: 'Glaze', options: ['Blue', 'Red'] }]
  const combinations = [combination('Blue', null), combination('Red', null)]
  const { id, ...listing } = await shop.list(mila, { variations: { variations, combinations } })
  const [cover, second] = [await upload(id), await upload(id)]
  const chosen = { variations, combinations: [combination('Blue', null), combination('Red', 2)] }
  const { name, category, description } = listing
  const fields = { id, name, category, description, price: 12, stock: 6, variations: chosen }
  expect((await mila.put(`/api/products/${id}`, fields)).status).toBe(200)
  for (const [option, url] of [
    ['Blue', cover],
    ['Red', second],
  ]) {
    const answers = [{ question: 'Glaze', answer: option }]
    await ana.post(`/api/cart_items/add/${id}`, { quantity: 1, answers })
    expect(await picturesOf(await order({}))).toEqual(four(url))
  }
})

test('the name of a piece leads to its page, as long as it has one', async () => {
  const { id } = await shop.list(mila, { name: 'Walnut spoon' })
  await ana.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const placed = await order({})
  const pages = ['/orders', `/orders/${placed}`, '/settings/account/delete']
  const leading = async () => {
    const all = pages.map(async path => String((await ana.get(path, { accept: 'text/html' })).body))
    return (await Promise.all(all)).map(body => body.includes(`href="/products/${id}"`))
  }
  const [line] = (await ana.get(`/api/orders/${placed}/detail`)).body.lines
  expect(line).not.toHaveProperty('gone')
  const running = async () => (await ana.get('/api/account/deletion')).body.running[0].pieces
  const piece = { id, name: 'Walnut spoon', quantity: 1 }
  expect(await running()).toEqual([piece])
  expect(await leading()).toEqual([true, true, true])
  await mila.delete(`/api/products/${id}`)
  expect((await ana.get(`/api/orders/${placed}/detail`)).body.lines).toEqual([{ ...line, gone: true }])
  expect(await running()).toEqual([{ ...piece, gone: true }])
  expect(await leading()).toEqual([false, false, false])
})
