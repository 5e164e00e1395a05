import { afterAll, beforeAll, expect, test } from 'vitest'
import { toMaker } from '../support/conversations.ts'
import { openOperator } from '../support/operators.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let ben: Person
let otto: Person
beforeAll(async () => {
  shop = await openShop()
  ben = await shop.signUp('ben')
  otto = await openOperator(shop)
})
afterAll(() => shop.close())

const html = { accept: 'text/html' }

test.each([
  ['/orders?', '/orders'],
  ['/orders/view?', '/orders/view'],
  ['/favourites?', '/favourites'],
  ['/your-listings?q=mug&', '/your-listings?q=mug'],
  ['/drafts?', '/drafts'],
  ['/messages?', '/messages'],
  ['/notifications?', '/notifications'],
  ['/orders?before=8&', '/orders'],
  ['/sold?state=open&', '/sold?state=open'],
])('a cursor that is refused leads from %s to the first page', async (page, first) => {
  const { status, headers } = await ben.get(`${page}cursor=damaged`, html)
  expect([status, headers.location]).toEqual([302, first])
})

test('a cursor that is refused leads to the newest messages of an order and of a conversation', async () => {
  const mila = await shop.signUp('mila')
  const { id } = await shop.list(mila)
  const { conversation } = (await ben.post(toMaker(mila), { text: 'Hello' })).body
  await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const order = (await ben.post('/api/orders/checkout')).body.id
  const pages: [Person, string][] = [
    [ben, `/messages/${conversation}`],
    [ben, `/orders/${order}`],
    [mila, `/sold/${order}`],
  ]
  for (const [by, page] of pages) {
    const { status, headers } = await by.get(`${page}?messages=damaged`, html)
    expect([status, headers.location]).toEqual([302, page])
  }
})

test.each(['listings', 'reviews', 'people', 'orders', 'log'])(
  'a cursor that is refused leads from the %s of operators to the first page',
  async part => {
    const { status, headers } = await otto.get(`/operate/${part}?q=mug&cursor=damaged`, html)
    expect([status, headers.location]).toEqual([302, `/operate/${part}?q=mug`])
  },
)

test('the page of an order of somebody else, who was logged in before, leads to the own orders', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(await shop.signUp('mila'))
  await ana.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const { body } = await ana.post('/api/orders/checkout')
  const { status, headers } = await ben.get(`/orders/view?cursor=${body.id}`, html)
  expect([status, headers.location]).toEqual([302, '/orders/view'])
})

test('searches are cut between characters, so that their pages open', async () => {
  const search = encodeURIComponent(`${'a'.repeat(99)}🫖 and more`)
  for (const path of [`/sold?search=${search}`, `/your-listings?q=${search}`])
    expect((await ben.get(path, html)).status).toBe(200)
})
