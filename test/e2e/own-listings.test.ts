import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokenPicture, inEachMode, picture, signIn, visit } from '../support/browser/steps.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const sellOne = async (id: number) => {
  const buyer = await shop.signUp('buyer')
  await buyer.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  await buyer.post('/api/orders/checkout')
}

test.for(['with scripts', 'without scripts'] as const)(
  'a change from another tab is shown before it is replaced: %s',
  async mode => {
    const seller = await shop.signUp('seller')
    const mug = await shop.list(seller, { stock: 2 })
    const expects = [/status of 409/]
    const [one, two] = [
      await visit(shop, mode, { signedInAs: seller }),
      await visit(shop, mode, { signedInAs: seller, expects }),
    ]
    for (const tab of [one, two]) await tab.go(`/products/${mug.id}/edit`)
    await one.fill('Name', 'Blue mug')
    await one.press('button', 'Update listing')
    await one.arrives('/your-listings')
    await two.fill('Price', '30')
    await two.press('button', 'Update listing')
    await two.page.getByRole('alert').getByText('This listing was changed meanwhile.').waitFor()
    await two.sees('Name is now: Blue mug')
    expect(await two.valueOf('Price')).toBe('30')
    expect((await seller.get(`/api/products/${mug.id}`)).body).toMatchObject({
      name: 'Blue mug',
      price: mug.price,
    })
    // After a conflict: one tab's name and the other's price.
    await two.fill('Name', 'Blue mug')
    await two.press('button', 'Update listing')
    await two.arrives('/your-listings')
    expect((await seller.get(`/api/products/${mug.id}`)).body).toMatchObject({
      name: 'Blue mug',
      price: 30,
      stock: 2,
    })
  },
)

inEachMode(mode => {
  test('units sold while a listing is edited stay sold', async () => {
    const seller = await shop.signUp('seller')
    const mug = await shop.list(seller, { stock: 2 })
    const there = await visit(shop, mode, { signedInAs: seller, expects: [/status of 409/] })
    await there.go(`/products/${mug.id}/edit`)
    await sellOne(mug.id)
    await there.fill('Name', 'Better mug')
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    await there.sees('1 in stock')

    await shop.correctStock(mug.id, 2)
    await there.go(`/products/${mug.id}/edit`)
    for (let sales = 0; sales < 3; sales++) await sellOne(mug.id)
    await there.fill('Stock', '1')
    await there.press('button', 'Update listing')
    await there.page.getByRole('alert').getByText('Some were sold meanwhile: 0 left in stock').waitFor()
    expect(await there.valueOf('Stock')).toBe('1')
    // After a conflict: adds one.
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    expect(await shop.stockOf(mug.id)).toBe(1)

    await sellOne(mug.id)
    await there.go(`/products/${mug.id}/edit`)
    await there.fill('Name', 'Sold mug')
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    await there.sees('Sold mug')
    await there.sees('0 in stock')
  })

  test('a listing of a further page can be deleted', async () => {
    const seller = await shop.signUp('seller')
    const names = Array.from({ length: 26 }, (_, n) => `Mug ${n + 1}`)
    for (const name of names) await shop.list(seller, { name })
    const there = await visit(shop, mode, { signedInAs: seller })
    await there.go('/your-listings')
    await there.press('link', 'Next 24')
    await there.sees('Mug 1')
    const further = there.path
    await there.press('button', 'Delete Mug 1')
    await there.dialog('Confirm Delete')
    await there.press('button', 'No (Keep Product)')
    await there.arrives(further)
    await there.sees('Mug 1')
    for (const name of ['Mug 1', 'Mug 2']) {
      await there.press('button', `Delete ${name}`)
      await there.dialog('Confirm Delete')
      await there.press('button', 'Yes (Delete Product)')
      // With its last listing the further page is gone.
      await there.arrives(name === 'Mug 1' ? further : '/your-listings')
      await there.missing('Confirm Delete')
      await there.missing(name)
    }
    await there.sees('Mug 26')
    expect((await seller.get('/api/products/current')).body.products).toHaveLength(24)
  })

  test('a session that ends keeps the typed values of an edited listing', async () => {
    const seller = await shop.signUp('seller')
    const mug = await shop.list(seller)
    const there = await visit(shop, mode, { signedInAs: seller, expects: [/status of 401/] })
    await there.go(`/products/${mug.id}/edit`)
    await there.fill('Name', 'Typed with care')
    await there.page.context().clearCookies()
    await there.press('button', 'Update listing')
    await there.page.getByRole('alert').waitFor()
    expect(await there.valueOf('Name')).toBe('Typed with care')
    await signIn(there, seller)
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    await there.sees('Typed with care')
  })
})

test('a changed stock is saved once, also with a retried photo', async () => {
  const seller = await shop.signUp('seller')
  const mug = await shop.list(seller, { stock: 5 })
  const there = await visit(shop, 'without scripts', { signedInAs: seller, expects: [/status of 400/] })
  await there.go(`/products/${mug.id}/edit`)
  await sellOne(mug.id)
  await there.fill('Stock', '7')
  await there.pick('Photos and video', brokenPicture)
  await there.press('button', 'Update listing')
  await there.page.getByRole('alert').getByText('Your changes were saved').waitFor()
  expect(await shop.stockOf(mug.id)).toBe(6)
  await there.pick('Photos and video', await picture())
  await there.press('button', 'Update listing')
  await there.arrives('/your-listings')
  expect(await shop.stockOf(mug.id)).toBe(6)
})

test('the delete dialog does not open for others’ listings', async () => {
  const [seller, other] = [await shop.signUp('seller'), await shop.signUp('other')]
  const mug = await shop.list(other)
  const there = await visit(shop, 'with scripts', { signedInAs: seller })
  for (const id of [mug.id, 'x', 999_999_999]) {
    await there.go(`/your-listings?delete=${id}`)
    await there.heading('Your Listings')
    expect(await there.text('Confirm Delete').count()).toBe(0)
  }
  const remove = (id: number) =>
    seller.send({
      method: 'POST',
      url: '/your-listings',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `id=${id}`,
    })
  const refused = await remove(mug.id)
  expect([refused.status, refused.headers.location]).toEqual([303, '/'])
  expect(await shop.stockOf(mug.id)).toBe(5)
})

test('a listing deleted elsewhere leaves the list after the failed deletion', async () => {
  const seller = await shop.signUp('seller')
  const mug = await shop.list(seller, { name: 'Gone mug' })
  const there = await visit(shop, 'with scripts', {
    signedInAs: seller,
    expects: [/status of 404/, /was not deleted/],
  })
  await there.go('/your-listings')
  await there.press('button', 'Delete Gone mug')
  await there.dialog('Confirm Delete')
  await seller.delete(`/api/products/${mug.id}`)
  await there.press('button', 'Yes (Delete Product)')
  await there.sees('No listings found.')
})
