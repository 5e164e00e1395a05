import { afterAll, beforeAll, expect, test } from 'vitest'
import { hideListing } from '#moderation/decisions.ts'
import { inEachMode, visit } from '../support/browser/steps.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const SAVED = 'Your prices and stock are saved'

inEachMode(mode => {
  test('prices and stocks are typed in the list, and saved at once', async () => {
    const seller = await shop.signUp('seller')
    const cup = await shop.list(seller, { name: 'Cup', price: 10, stock: 2 })
    const pot = await shop.list(seller, { name: 'Pot', price: 20, stock: 3 })
    const there = await visit(shop, mode, { signedInAs: seller, expects: [/status of 400/] })
    await there.go('/your-listings')
    await there.fill('Price of Cup', '0')
    await there.fill('Stock of Pot', '7')
    await there.press('button', 'Save prices and stock')
    await there.describes('Price of Cup', 'Price must be a positive number')
    // Nothing is saved before all of it is right, and nothing typed is lost.
    expect(await there.valueOf('Stock of Pot')).toBe('7')
    expect(await shop.stockOf(pot.id)).toBe(3)
    await there.fill('Price of Cup', '12,5')
    await there.press('button', 'Save prices and stock')
    await there.sees(SAVED)
    await there.sees('$12.50')
    await there.sees('7 in stock')
    expect(await there.valueOf('Price of Cup')).toBe('12.50')
    expect((await seller.get(`/api/products/${cup.id}`)).body).toMatchObject({ price: 12.5, stock: 2 })
    expect((await seller.get(`/api/products/${pot.id}`)).body).toMatchObject({ price: 20, stock: 7 })
  })

  test('a price that was changed elsewhere is shown before it is replaced, and what was sold stays sold', async () => {
    const seller = await shop.signUp('seller')
    const cup = await shop.list(seller, { name: 'Cup', price: 10, stock: 5 })
    const pot = await shop.list(seller, { name: 'Pot', price: 20, stock: 3 })
    const there = await visit(shop, mode, { signedInAs: seller, expects: [/status of 409/] })
    await there.go('/your-listings')
    await seller.put(`/api/products/${cup.id}`, { ...cup, price: 11 })
    await shop.correctStock(pot.id, -1)
    await there.fill('Price of Cup', '15')
    await there.fill('Stock of Pot', '8')
    await there.press('button', 'Save prices and stock')
    await there.describes('Price of Cup', 'This listing was changed meanwhile. Its price is now $11.00')
    expect(await there.valueOf('Price of Cup')).toBe('15')
    await there.sees('7 in stock')
    expect((await seller.get(`/api/products/${cup.id}`)).body.price).toBe(11)
    await there.press('button', 'Save prices and stock')
    await there.sees(SAVED)
    expect((await seller.get(`/api/products/${cup.id}`)).body).toMatchObject({ price: 15, stock: 5 })
  })

  test('a hidden piece is listed with a link to the notice, and cannot be priced', async () => {
    const seller = await shop.signUp('seller')
    const mug = await shop.list(seller, { name: 'Mug' })
    await hideListing(shop.db, null, mug.id, { reason: 'A copy', rule: '' })
    const there = await visit(shop, mode, { signedInAs: seller })
    await there.go('/your-listings')
    await there.sees('5 in stock')
    expect(await there.page.getByRole('textbox', { name: 'Price of Mug' }).count()).toBe(0)
    await there.press('link', 'Hidden by the shop: why Mug is')
    await there.heading('Notices')
    await there.sees('Your piece Mug is hidden')
  })
})

test('prices that were typed stay when the page is left, and are gone when the stored one is another', async () => {
  const seller = await shop.signUp('seller')
  const cup = await shop.list(seller, { name: 'Cup', price: 10, stock: 4 })
  const there = await visit(shop, 'with scripts', { signedInAs: seller })
  await there.go('/your-listings')
  await there.fill('Price of Cup', '10.0')
  expect(await there.page.getByText('1 change').count()).toBe(0)
  await there.fill('Price of Cup', '12')
  await there.fill('Stock of Cup', '6')
  await there.sees('2 changes')
  await there.press('link', 'Retired')
  await there.sees('Nothing is retired. A retired piece waits here until you bring it back')
  await seller.put(`/api/products/${cup.id}`, { ...cup, price: 11 })
  await there.page.goBack()
  await there.sees('1 change')
  expect([await there.valueOf('Price of Cup'), await there.valueOf('Stock of Cup')]).toEqual(['11.00', '6'])
  // Closing the tab would lose it: the browser asks.
  const asked = there.page.waitForEvent('dialog')
  void there.page.close({ runBeforeUnload: true })
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await there.press('button', 'Save prices and stock')
  await there.sees(SAVED)
  expect((await seller.get(`/api/products/${cup.id}`)).body).toMatchObject({ price: 11, stock: 6 })
})

test('by keyboard alone: a price is typed and saved with Enter', async () => {
  const seller = await shop.signUp('seller')
  const cup = await shop.list(seller, { name: 'Cup', price: 10 })
  const there = await visit(shop, 'with scripts', { signedInAs: seller })
  await there.go('/your-listings')
  await there.tabTo(there.page.getByRole('textbox', { name: 'Price of Cup' }))
  await there.page.keyboard.type('9.99')
  await there.sees('1 change')
  await there.page.keyboard.press('Enter')
  await there.sees(SAVED)
  await there.missing('1 change')
  expect((await seller.get(`/api/products/${cup.id}`)).body.price).toBe(9.99)
})

test('a session that ends keeps what was typed', async () => {
  const seller = await shop.signUp('seller')
  const cup = await shop.list(seller, { name: 'Cup', price: 10 })
  const there = await visit(shop, 'with scripts', { signedInAs: seller, expects: [/status of 401/] })
  await there.go('/your-listings')
  const cookies = await there.page.context().cookies()
  await there.fill('Price of Cup', '12')
  await there.page.context().clearCookies()
  await there.press('button', 'Save prices and stock')
  await there.page.getByRole('alert').first().waitFor()
  expect(await there.valueOf('Price of Cup')).toBe('12')
  await there.page.context().addCookies(cookies)
  await there.press('button', 'Save prices and stock')
  await there.sees(SAVED)
  expect((await seller.get(`/api/products/${cup.id}`)).body.price).toBe(12)
})
