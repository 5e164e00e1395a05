import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Person, type TestShop } from '../test/shop.ts'
import { picture, type Visit, visit } from './steps.ts'

let shop: TestShop
let person: Person
let mug = 0
beforeAll(async () => {
  shop = await openShop({ pages: true, listen: true })
  person = await shop.signUp('person')
  mug = (await shop.list(person, { name: 'Speckled mug' })).id
})
afterAll(() => shop.close())

const BUSY = 'The shop is very busy. Please try again'
const busy = (route: Route) =>
  route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { message: BUSY, errors: [BUSY] } })

/** A page of somebody signed in, and a shop that is too busy for a kind of call until told otherwise. */
async function opened(path: string) {
  const there = await visit(shop, 'with scripts', { signedInAs: person, expects: [/status of 503/] })
  await there.go(path)
  const during = async (calls: string, work: (there: Visit) => Promise<unknown>) => {
    await there.page.route(calls, busy)
    await work(there)
    await there.page.unroute(calls)
  }
  return { there, during }
}

test('a page that cannot come offers another try', async () => {
  const { there, during } = await opened('/')
  await during('**/api/cart_items/**', async () => {
    await there.press('link', 'Cart')
    await there.heading('The shop is very busy')
  })
  await there.press('link', 'Try again')
  await there.heading('Shopping Cart')
})

test('a listing keeps every field and goes through with the next press', async () => {
  const { there, during } = await opened('/products/new')
  const typed = { Name: 'Patient bowl', Description: 'Turned from walnut.', Price: '12.5', Stock: '2' }
  for (const [label, value] of Object.entries(typed)) await there.fill(label, value)
  await there.choose('Category', 'Home & Living')
  await there.pick('Photos and video', await picture('bowl.png'))
  await during('**/api/products/', async () => {
    await there.press('button', 'Add a listing')
    await there.page.getByRole('alert').getByText(BUSY, { exact: true }).waitFor()
  })
  for (const [label, value] of Object.entries(typed)) expect(await there.valueOf(label)).toBe(value)
  await there.sees('bowl.png')
  await there.press('button', 'Add a listing')
  await there.arrives('/your-listings')
  await there.one('img', 'Patient bowl').waitFor()
})

test('the cart tells why, and takes the piece with the next press', async () => {
  const { there, during } = await opened(`/products/${mug}`)
  await during('**/api/cart_items/**', async () => {
    await there.press('button', 'Add to cart')
    await there.sees('Failed to add item to cart.')
    await there.sees(BUSY)
  })
  await there.press('button', 'Add to cart')
  await there.sees('Item added to cart!')
})

test('a review keeps its words and goes through with the next press', async () => {
  const { there, during } = await opened(`/products/${mug}/create-review`)
  await there.choose('Stars', '4')
  await there.fill('What did you think of this product?', 'Holds its tea.')
  await during('**/create-review', async () => {
    await there.press('button', 'Leave Review')
    await there.sees(BUSY)
  })
  expect(await there.valueOf('What did you think of this product?')).toBe('Holds its tea.')
  expect(await there.valueOf('Stars')).toBe('4')
  await there.press('button', 'Leave Review')
  await there.sees('Holds its tea.')
})
