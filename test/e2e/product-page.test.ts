import { afterAll, beforeAll, expect, test } from 'vitest'
import { inEachMode, visit } from '../support/browser/steps.ts'
import { varied } from '../support/listings.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let maker: Person
let product: string
beforeAll(async () => {
  shop = await openShop()
  maker = await shop.signUp('maker')
  for (const name of ['Tall jug', 'Wide dish', 'Flat plate']) await shop.list(maker, { name })
  const said = { story: 'It began as a bowl.', materials: ['clay'] }
  const { id } = await shop.list(maker, { name: 'Round pot', price: 19.5, stock: 7, ...said })
  for (const stars of [4, 5]) {
    const author = await shop.signUp('author')
    await author.post(`/api/reviews/${id}/create-review`, { review: 'A fine pot.', stars })
  }
  await maker.put(`/api/shops/${maker.user.username}`, { words: 'I dig clay.', place: 'By the ford' })
  product = `/products/${id}`
})
afterAll(() => shop.close())

inEachMode(mode => {
  test('a product is described in the order in which a buyer reads', async () => {
    const there = await visit(shop, mode)
    await there.go(product)
    const order = ['.category', 'h1', '.rated', '.price', '.availability', '.add-to-cart', '.delivers']
    const about = ['.about-piece dl', '.about-piece .paragraph']
    const parts = [...order, '.description', ...about, '.meet-maker', '.reviews']
    const places = await there.page.evaluate(parts => {
      const all = [...document.querySelectorAll('main *')]
      return parts.map(part => all.indexOf(document.querySelector(`main ${part}`) as Element))
    }, parts)
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    await there.sees('7 in stock')
    const card = there.page.getByRole('region', { name: 'Meet the maker' })
    for (const text of ['I dig clay.', 'By the ford']) await card.getByText(text, { exact: true }).waitFor()
    expect(await card.locator('.their-pieces li').count()).toBe(3)
    await there.pressThis(there.page.locator('.rated a'))
    await there.page.waitForURL(url => url.hash === '#reviews')
    expect(await there.page.locator('.rated .half').count()).toBe(1)
  })
})

test('what was chosen and said on one piece is not there on the next', async () => {
  const there = await visit(shop, 'with scripts', { expects: [/status of 401/] })
  await there.go(product)
  await there.choose('Quantity', '3')
  await there.press('button', 'Add to cart')
  await there.sees('Please login to add items to cart.')
  const card = there.page.getByRole('region', { name: 'Meet the maker' })
  await card.getByRole('link', { name: 'Tall jug' }).first().click()
  await there.heading('Tall jug')
  expect(await there.valueOf('Quantity')).toBe('1')
  expect(await there.text('Please login to add items to cart.').count()).toBe(0)
  expect(await there.page.getByText('It is added once you log in').count()).toBe(0)
})

test('the row of the button has no hole, and its message moves nothing', async () => {
  const there = await visit(shop, 'with scripts', { signedInAs: await shop.signUp('shopper') })
  await there.page.setViewportSize({ width: 1280, height: 800 })
  await there.go(product)
  const facts = there.page.locator('.delivers')
  const before = await facts.boundingBox()
  const row = there.page.locator('.add-to-cart')
  const bottoms = await row
    .locator('select, .button, .heart button')
    .evaluateAll(all => all.map(each => Math.round(each.getBoundingClientRect().bottom)))
  expect(bottoms).toHaveLength(3)
  expect(new Set(bottoms).size).toBe(1)
  await there.press('button', 'Add to cart')
  await there.sees('Item added to cart!')
  expect(await facts.boundingBox()).toEqual(before)
})

test('on a phone price and button stay at the bottom, also beside the reviews, without scripts too', async () => {
  for (const mode of ['with scripts', 'without scripts'] as const) {
    const there = await visit(shop, mode, { width: 390 })
    await there.go(product)
    await there.page.locator('#reviews').evaluate(heading => heading.scrollIntoView())
    const row = there.page.locator('.add-to-cart')
    const { bottom, price } = await row.evaluate(row => ({
      bottom: innerHeight - row.getBoundingClientRect().bottom,
      price: getComputedStyle(row, '::before').content,
    }))
    expect({ bottom, price }).toEqual({ bottom: 0, price: '"$19.50"' })
  }
})

test('what is bought stays in sight on a wide screen, down to its end', async () => {
  const there = await visit(shop, 'with scripts')
  for (const height of [900, 450]) {
    await there.page.setViewportSize({ width: 1280, height })
    await there.go(product)
    await there.page.locator('.meet-maker').evaluate(card => card.scrollIntoView({ block: 'end' }))
    const { bottom } = await there.page
      .locator('.about')
      .evaluate(column => column.getBoundingClientRect().toJSON())
    expect(bottom).toBeGreaterThan(0)
    expect(bottom).toBeLessThanOrEqual(height)
  }
})

test('on a phone the bar with the price is one row, whatever the price', async () => {
  const { id: from } = await shop.list(maker, { variations: varied })
  const { id: dear } = await shop.list(maker, { price: 12_345.5 })
  const there = await visit(shop, 'with scripts', { signedInAs: await shop.signUp('shopper'), width: 390 })
  for (const id of [from, dear]) {
    await there.go(`/products/${id}`)
    const bar = (await there.page.locator('.add-to-cart').boundingBox())!
    expect(bar.height, 'a row of buttons').toBeLessThan(80)
    const [price, select] = await there.page.locator('.add-to-cart').evaluate(element => {
      const { left } = element.querySelector('select')!.getBoundingClientRect()
      return [Number.parseFloat(getComputedStyle(element, '::before').width), left]
    })
    // The price begins at the padding, and ends before the quantity.
    expect(16 + price!).toBeLessThan(select!)
    expect(price).toBeGreaterThan(40)
  }
})
