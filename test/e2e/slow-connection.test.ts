import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROFILE_CHANGED } from '#postage/contract.ts'
import { eventually, gate, picture, type Visit, visit } from '../support/browser/steps.ts'
import { itsDetails, large, sizes, small } from '../support/listings.ts'
import { addProfile } from '../support/postage.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'
import { sell } from '../support/sold.ts'

// What somebody does while the page still sends, or loads its data anew.

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const open = (signedInAs: Person, path: string, expects: RegExp[] = []): Promise<Visit> =>
  visit(shop, 'with scripts', { signedInAs, expects }).then(async there => {
    await there.go(path)
    return there
  })

/** Holds requests with this method. @returns a function that lets them go on, and a promise of the first */
async function hold(there: Visit, url: string, method = 'GET') {
  const { open, opened } = gate()
  const first = there.page.waitForRequest(request => request.method() === method && isAt(request.url(), url))
  await there.page.route(url, async route => {
    if (route.request().method() === method) await opened
    await route.fallback()
  })
  return { open, first }
}
const isAt = (address: string, pattern: string) =>
  new URL(address).pathname.startsWith(pattern.replaceAll('*', ''))

test('a refused form can be sent again while the page loads its data anew', async () => {
  const own = await shop.signUp('sections')
  for (const name of ['Mugs', 'Bowls']) await own.post('/api/sections/', { name })
  const there = await open(own, '/settings/sections', [/status of 409/])
  await there.page.getByLabel('Rename or remove Mugs').click()
  const held = await hold(there, '**/api/sections/')
  const name = there.field('Name').first()
  await name.fill('Bowls')
  await there.one('button', 'Save the name').first().click()
  await there.sees('You have a section called Bowls already')
  await name.fill('Cups')
  await there.one('button', 'Save the name').first().click()
  await eventually(async () =>
    (await own.get('/api/sections/')).body.sections.map(({ name }: { name: string }) => name),
  ).toEqual(['Cups', 'Bowls'])
  held.open()
  await there.sees('Name saved')
})

test('a refused quantity can be corrected and added while the page loads its data anew', async () => {
  const { id } = await shop.list(await shop.signUp('maker'), { stock: 3 })
  const buyer = await shop.signUp('buyer')
  const there = await open(buyer, `/products/${id}`, [/status of 409/])
  await shop.correctStock(id, -1)
  const held = await hold(there, `**/api/products/${id}/similar`)
  await there.choose('Quantity', '3')
  await there.press('button', 'Add to cart')
  await there.sees('Failed to add item to cart.')
  await there.choose('Quantity', '2')
  await there.press('button', 'Add to cart')
  await eventually(
    async () => (await buyer.get(`/api/cart_items/${buyer.user.id}`)).body.cart_items,
  ).toMatchObject([{ quantity: 2 }])
  held.open()
  await there.sees('Item added to cart!')
})

test('a wrong code of an order can be corrected while the page loads its data anew', async () => {
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const order = await sell(shop, { maker, shopper })
  const [{ pickup_code }] = await shop.rows(`select pickup_code from orders where id = ${order.id}`)
  const wrong = String((Number(pickup_code) + 1) % 10_000).padStart(4, '0')
  await maker.post(`/api/sales/${order.id}/ready`)
  const there = await open(maker, `/sold/${order.id}`, [/status of 409/])
  const held = await hold(there, `**/api/sales/${order.id}`)
  await there.fill('Code of the shopper', wrong)
  await there.press('button', 'Hand over')
  await there.sees('This is not the code of this order. The shopper finds it on the page of their order')
  await there.fill('Code of the shopper', pickup_code)
  await there.press('button', 'Hand over')
  await eventually(async () => (await maker.get(`/api/sales/${order.id}`)).body.state).toBe('collected')
  held.open()
  await there.sees('Marked as collected')
})

test('an order that is placed while its dialog is closed is named', async () => {
  const { id } = await shop.list(await shop.signUp('maker'))
  const buyer = await shop.signUp('buyer')
  await buyer.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const there = await open(buyer, '/cart?checkout=yes')
  const held = await hold(there, '**/api/orders/checkout', 'POST')
  await there.press('button', 'Yes (place order)')
  await held.first
  await there.press('button', 'No')
  await eventually(() => there.path).toBe('/cart')
  held.open()
  await eventually(() => there.path).toBe('/cart?checkout=ordered')
  const [order] = (await buyer.get('/api/orders/')).body
  await there.page.getByText(`#${order.id}`).first().waitFor()
})

test('a price that is typed while another one is saved stays', async () => {
  const seller = await shop.signUp('seller')
  const cup = await shop.list(seller, { name: 'Cup', price: 10, stock: 2 })
  const there = await open(seller, '/your-listings')
  const held = await hold(there, '**/api/products/bulk', 'POST')
  await there.fill('Price of Cup', '12')
  await there.press('button', 'Save prices and stock')
  await there.fill('Price of Cup', '13')
  held.open()
  await there.sees('Your prices and stock are saved')
  await eventually(async () => (await seller.get(`/api/products/${cup.id}`)).body.price).toBe(12)
  await there.sees('1 change')
  expect(await there.valueOf('Price of Cup')).toBe('13')
  await there.press('button', 'Save prices and stock')
  await eventually(async () => (await seller.get(`/api/products/${cup.id}`)).body.price).toBe(13)
  await eventually(() => there.valueOf('Price of Cup')).toBe('13.00')
})

test('a row that is added while a refused profile is saved stays', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await addProfile(shop.db, maker, { rates: { EU: [450, 150] } })
  const there = await open(maker, `/settings/postage?profile=${id}`, [/status of 409/])
  await shop.rows(`update postage_profiles set version = version + 1 where id = ${id}`)
  const held = await hold(there, `**/api/postage/${id}`, 'PUT')
  await there.fill('Name', 'Letter')
  await there.press('button', 'Save')
  await held.first
  await there.press('button', '+ Add a pick-up place')
  await there.fill('Place', 'Market hall')
  held.open()
  await there.sees(PROFILE_CHANGED)
  expect(await there.valueOf('Place')).toBe('Market hall')
  await there.press('button', 'Save')
  await there.arrives('/settings/postage')
  expect((await maker.get('/api/postage/')).body.profiles).toMatchObject([
    { pickup_places: [{ place: 'Market hall' }] },
  ])
})

test('of two quick presses of a heart the last one counts', async () => {
  const { id, name } = await shop.list(await shop.signUp('maker'))
  const buyer = await shop.signUp('buyer')
  const there = await open(buyer, `/products/${id}`)
  const held = await hold(there, `**/api/favourites/${id}`, 'PUT')
  const heart = there.one('button', `Save ${name}`).first()
  await heart.click()
  await held.first
  await eventually(() => heart.getAttribute('aria-pressed')).toBe('true')
  await heart.click()
  expect(await heart.getAttribute('aria-pressed')).toBe('false')
  const removed = there.page.waitForResponse(response => response.request().method() === 'DELETE')
  held.open()
  expect((await removed).status()).toBe(200)
  await eventually(() => heart.getAttribute('aria-pressed')).toBe('false')
  expect((await buyer.get('/api/favourites/ids')).body).toEqual({ ids: [] })
})

test('a combination shows its photo without loading the page anew', async () => {
  const maker = await shop.signUp('maker')
  const variations = {
    variations: [sizes],
    combinations: [
      { ...small, photo: 1 },
      { ...large, photo: 2 },
    ],
  }
  const { id } = await shop.list(maker, { ...itsDetails, variations })
  for (const _ of [1, 2]) await maker.upload(`/api/products/${id}/images`, (await picture()).buffer)
  const there = await open(await shop.signUp('buyer'), `/products/${id}?sort=lowest`)
  const calls: string[] = []
  there.page.on('request', request => {
    if (request.url().includes('/api/')) calls.push(request.url())
  })
  await there.field('Size').selectOption({ index: 2 })
  await eventually(() => there.path).toContain('photo=2')
  await there.field('Size').selectOption({ index: 1 })
  await eventually(() => there.path).toContain('photo=1')
  await there.pressThis(there.page.locator('.combinations summary'))
  await there.press('link', 'Photo of Large')
  await eventually(() => there.path).toContain('photo=2')
  expect(there.path).toContain('sort=lowest')
  expect(calls.filter(url => url.includes('/api/products/'))).toEqual([])
})

test('why a removal was not undone is not said of the next one', async () => {
  const maker = await shop.signUp('maker')
  const mug = await shop.list(maker, { name: 'Mug', stock: 2 })
  const vase = await shop.list(maker, { name: 'Vase', stock: 2 })
  const buyer = await shop.signUp('buyer')
  for (const { id } of [mug, vase]) await buyer.post(`/api/cart_items/add/${id}`, { quantity: 2 })
  const there = await open(buyer, '/cart', [/status of 409/])
  await there.press('button', 'Remove Mug')
  await there.one('button', 'Undo').waitFor()
  await shop.correctStock(mug.id, -1)
  await there.press('button', 'Undo')
  const problem = there.page.locator('.removal').getByRole('alert')
  await problem.waitFor()
  await there.press('button', 'Remove Vase')
  await eventually(() => problem.count()).toBe(0)
  await there.press('button', 'Undo')
  await there.one('button', 'Remove Vase').waitFor()
})
