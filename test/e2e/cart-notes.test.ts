import { afterAll, beforeAll, expect, test } from 'vitest'
import { cartOfThreeMakers, partsOf, radio, writeNote } from '../support/browser/cart-of-three-makers.ts'
import { eventually, visit } from '../support/browser/steps.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('a note and a choice outlive a removal without scripts', async () => {
  const { ana, ben, home } = await cartOfThreeMakers(shop)
  await ben.put('/api/checkout/address', { address_id: home.id })
  const there = await visit(shop, 'without scripts', { signedInAs: ben })
  await there.go('/cart')
  await radio(there, /^Studio/).check()
  await writeNote(there, ana, 'A gift')
  await there.choose('Quantity of Speckled mug', '3')
  await there.press('button', 'Remove Long scarf')
  await there.sees('Item was removed from your cart')
  expect(await radio(there, /^Studio/).isChecked()).toBe(true)
  expect(await there.valueOf(`Note to ${ana.user.username}`)).toBe('A gift')
  expect(await there.valueOf('Quantity of Speckled mug')).toBe('3')
  await there.press('button', 'Undo')
  await there.sees('Long scarf')
})

test('on a phone a removal is undone above the sum, and a long note is counted, not cut', async () => {
  const { ana, ben } = await cartOfThreeMakers(shop)
  const there = await visit(shop, 'with scripts', { signedInAs: ben, width: 360, expects: [/status of 400/] })
  await there.go('/cart')
  await there.press('button', 'Remove Long scarf')
  await there.press('button', 'Undo')
  await there.sees('Long scarf')
  await writeNote(there, ana, 'x'.repeat(510))
  await there.sees('10 too many')
  await there.page.getByRole('alert').getByText('Note cannot be more than 500 characters').waitFor()
  expect(await there.valueOf(`Note to ${ana.user.username}`)).toHaveLength(510)
  // Also if it is folded away.
  await there.page.getByText(`Add a note to ${ana.user.username}`).click()
  await there.press('button', 'Proceed to checkout')
  expect(await there.page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
  expect(there.path).toBe('/cart')
})

test('a note outlives "Take" without scripts', async () => {
  const { ana, mia, ben, home } = await cartOfThreeMakers(shop)
  await ben.put('/api/checkout/address', { address_id: home.id })
  const { cart_items } = (await ben.get(`/api/cart_items/${ben.user.id}`)).body
  const { id, product } = cart_items.find(
    (line: { product: { name: string } }) => line.product.name === 'Ash bowl',
  )
  await ben.put(`/api/cart_items/${id}`, { quantity: 3 })
  await shop.correctStock(product.id, -7)
  const there = await visit(shop, 'without scripts', { signedInAs: ben })
  await there.go('/cart')
  await writeNote(there, ana, 'A gift')
  await writeNote(there, mia, 'Not too dark')
  await there.choose('Quantity of Speckled mug', '3')
  await there.press('button', 'Take 2 of Ash bowl')
  await there.sees('Saved')
  expect(await there.valueOf(`Note to ${ana.user.username}`)).toBe('A gift')
  expect(await there.valueOf(`Note to ${mia.user.username}`)).toBe('Not too dark')
  expect(await there.valueOf('Quantity of Speckled mug')).toBe('3')
  expect(await there.valueOf('Quantity of Ash bowl')).toBe('2')
})

test('a note that is left after the session has ended stays, and is saved after the login', async () => {
  const { ana, ben } = await cartOfThreeMakers(shop)
  const there = await visit(shop, 'with scripts', { signedInAs: ben, expects: [/status of 401/] })
  await there.go('/cart')
  const cookies = await there.page.context().cookies()
  await there.page.context().clearCookies()
  await writeNote(there, ana, 'A gift')
  await there.sees('Please log in to save your note to the maker')
  expect(await there.valueOf(`Note to ${ana.user.username}`)).toBe('A gift')
  await there.page.context().addCookies(cookies)
  const note = there.field(`Note to ${ana.user.username}`)
  await note.focus()
  await note.blur()
  await eventually(() => partsOf(ben)).toMatchObject([{ note: 'A gift' }, {}, {}])
})

test('without scripts a note is shown to be copied when the session has ended', async () => {
  const { ana, ben } = await cartOfThreeMakers(shop)
  const there = await visit(shop, 'without scripts', { signedInAs: ben, expects: [/status of 401/] })
  await there.go('/cart')
  await writeNote(there, ana, 'A gift')
  await there.page.context().clearCookies()
  await there.press('button', 'Proceed to checkout')
  await there.sees('A gift')
  await there.sees('Copy your note first: it could not be saved, because you are logged out.')
})
