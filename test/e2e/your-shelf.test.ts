import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillListing } from '../support/browser/listing-form.ts'
import { inEachMode, picture, type Visit, visit } from '../support/browser/steps.ts'
import { times } from '../support/person.ts'
import { aMug, openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const shelf = async (seller: Person, query = '') =>
  (await seller.get(`/api/products/shelf${query}`)).body.products as { name: string; price: number }[]
/** Names of the listings on the page, in their order. */
const names = (there: Visit) => there.page.locator('.own-listing h2').allInnerTexts()

inEachMode(mode => {
  test('a piece is retired, brought back, and deleted for good', async () => {
    const seller = await shop.signUp('seller')
    const mug = await shop.list(seller, { name: 'Old mug', stock: 3 })
    const there = await visit(shop, mode, { signedInAs: seller, expects: [/status of 404/] })
    await there.go('/your-listings')
    await there.press('button', 'Retire Old mug')
    await there.sees('Retired. You find it under Retired, and can bring it back')
    await there.sees('No listings found.')
    expect((await seller.get(`/api/products/${mug.id}`)).status).toBe(404)
    await there.press('link', 'Retired')
    await there.sees('Old mug')
    await there.press('button', 'Bring back Old mug')
    await there.sees('It is back in your shop')
    expect((await seller.get(`/api/products/${mug.id}`)).body).toMatchObject({ name: 'Old mug', stock: 3 })
    await there.press('link', 'Listed')
    await there.press('button', 'Retire Old mug')
    await there.press('link', 'Retired')
    await there.press('button', 'Delete for good: Old mug')
    await there.dialog('Confirm Delete')
    await there.press('button', 'Yes (Delete Product)')
    await there.missing('Old mug')
    expect(await shelf(seller, '?retired=true')).toEqual([])
  })

  test('Your Listings is filtered and sorted, and its pages stay so', async () => {
    const seller = await shop.signUp('seller')
    await shop.list(seller, { name: 'Tall vase', price: 30, stock: 2 })
    await shop.list(seller, { name: 'Small vase', price: 10, stock: 9 })
    const bowl = await shop.list(seller, { name: 'Bowl', price: 20 })
    await shop.correctStock(bowl.id, -5)
    const there = await visit(shop, mode, { signedInAs: seller })
    await there.go('/your-listings')
    await there.fill('Name of the piece', 'VASE')
    await there.choose('Sort by', 'Lowest price first')
    await there.press('button', 'Show')
    await there.missing('Bowl')
    expect(await names(there)).toEqual(['Small vase', 'Tall vase'])
    await there.choose('Sort by', 'Fewest in stock first')
    await there.press('button', 'Show')
    await there.arrives('/your-listings?q=VASE&sort=stock')
    expect(await names(there)).toEqual(['Tall vase', 'Small vase'])
    await there.fill('Name of the piece', '')
    await there.tick('Sold out only')
    await there.press('button', 'Show')
    await there.missing('Tall vase')
    expect(await names(there)).toEqual(['Bowl'])
    await there.fill('Name of the piece', 'plate')
    await there.press('button', 'Show')
    await there.sees('No listing is like that')
    await there.press('link', 'Show all listings')
    await there.sees('Tall vase')
  })

  test('ticked pieces get another price after a preview', async () => {
    const seller = await shop.signUp('seller')
    for (const name of ['One', 'Two', 'Three']) await shop.list(seller, { name, price: 19.99 })
    const there = await visit(shop, mode, { signedInAs: seller, expects: [/status of 400/] })
    await there.go('/your-listings')
    await there.tick('Choose One')
    await there.tick('Choose Three')
    await there.press('button', 'Next')
    await there.heading('Change the price by percent')
    await there.fill('Percent', '0')
    await there.press('button', 'Show what would change')
    await there.describes('Percent', 'Percent must be from -99 to 1,000, and not 0')
    expect(await there.valueOf('Percent')).toBe('0')
    await there.fill('Percent', '12,5')
    await there.press('button', 'Show what would change')
    await there.sees('2 pieces would change. Nothing is changed yet.')
    expect(await there.page.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/Piece\s+Now\s+Then/),
      expect.stringMatching(/Three\s+\$19\.99\s+\$22\.49/),
      expect.stringMatching(/One\s+\$19\.99\s+\$22\.49/),
    ])
    expect((await shelf(seller)).map(({ price }) => price)).toEqual([19.99, 19.99, 19.99])
    await there.press('button', 'Yes, change 2 pieces')
    await there.sees('Your change is made')
    expect((await shelf(seller)).map(({ name, price }) => [name, price])).toEqual([
      ['Three', 22.49],
      ['Two', 19.99],
      ['One', 22.49],
    ])
  })

  test('all that match, on every page, are retired at once, and brought back', async () => {
    const seller = await shop.signUp('seller')
    await times(26, n => shop.list(seller, { name: `Tile ${n}` }))
    await shop.list(seller, { name: 'Jug' })
    const there = await visit(shop, mode, { signedInAs: seller })
    await there.go('/your-listings?q=tile')
    await there.tick('All that match, also on other pages')
    await there.choose('What to change', 'Retire')
    await there.press('button', 'Next')
    await there.sees('26 pieces would change. Nothing is changed yet.')
    await there.press('button', 'Yes, retire 26 pieces')
    await there.sees('Your change is made')
    expect((await shelf(seller)).map(({ name }) => name)).toEqual(['Jug'])
    await there.press('link', 'Retired')
    await there.tick('All that are retired, also on other pages')
    await there.press('button', 'Next')
    await there.sees('26 pieces would change. Nothing is changed yet.')
    await there.press('button', 'Yes, bring back 26 pieces')
    await there.sees('Your change is made')
    expect(await shelf(seller)).toHaveLength(27)
  })

  test('a piece that was changed after the preview is refused, with its reason', async () => {
    const seller = await shop.signUp('seller')
    const [cup, pot] = [await shop.list(seller, { name: 'Cup' }), await shop.list(seller, { name: 'Pot' })]
    const there = await visit(shop, mode, { signedInAs: seller, expects: [/status of 409/] })
    await there.go('/your-listings')
    await there.choose('What to change', 'Set the price')
    await there.press('button', 'Next')
    await there.sees('Choose at least one piece')
    await there.press('link', 'Back to Your Listings')
    await there.tick('All of your listings, also on other pages')
    await there.choose('What to change', 'Set the price')
    await there.press('button', 'Next')
    await there.fill('New price in dollars', '8')
    await there.press('button', 'Show what would change')
    await there.sees('2 pieces would change. Nothing is changed yet.')
    await seller.put(`/api/products/${cup.id}`, { ...cup, description: 'Other words.' })
    await there.press('button', 'Yes, change 2 pieces')
    await there.sees('Cup: This listing was changed meanwhile')
    await there.sees('1 piece is changed')
    expect((await seller.get(`/api/products/${pot.id}`)).body.price).toBe(8)
    await there.press('link', 'Look at these pieces again')
    await there.press('button', 'Yes, change 1 piece')
    await there.sees('Your change is made')
    expect((await seller.get(`/api/products/${cup.id}`)).body).toMatchObject({
      price: 8,
      description: 'Other words.',
    })
  })

  test('a session that ends keeps the change, and it is made after the login', async () => {
    const seller = await shop.signUp('seller')
    const mug = await shop.list(seller, { stock: 2 })
    const there = await visit(shop, mode, { signedInAs: seller, expects: [/status of 401/] })
    await there.go(`/your-listings/change?ids=${mug.id}&change=stock_add&amount=3`)
    const cookies = await there.page.context().cookies()
    await there.page.context().clearCookies()
    await there.press('button', 'Yes, change 1 piece')
    await there.page.getByRole('alert').first().waitFor()
    expect(await shop.stockOf(mug.id)).toBe(2)
    await there.page.context().addCookies(cookies)
    await there.press('button', 'Try again')
    await there.sees('Your change is made')
    expect(await shop.stockOf(mug.id)).toBe(5)
  })
})

test('by keyboard alone: all of a page are ticked, and get a tag', async () => {
  const seller = await shop.signUp('seller')
  const made = await times(3, n => shop.list(seller, { name: `Mug ${n}` }))
  const there = await visit(shop, 'with scripts', { signedInAs: seller })
  await there.go('/your-listings')
  await there.tabTo(there.page.getByRole('checkbox', { name: 'Choose all on this page' }))
  await there.page.keyboard.press('Space')
  await there.press('link', 'Change many at once')
  await there.tabTo(there.page.getByRole('combobox', { name: 'What to change' }))
  await there.page.keyboard.type('Add tags')
  await there.tabTo(there.one('button', 'Next'))
  await there.page.keyboard.press('Enter')
  await there.heading('Add tags')
  await there.tabTo(there.page.getByRole('textbox', { name: 'Tags' }))
  await there.page.keyboard.type('gift, blue')
  await there.page.keyboard.press('Enter')
  await there.sees('3 pieces would change. Nothing is changed yet.')
  await there.tabTo(there.one('button', 'Yes, change 3 pieces'))
  await there.page.keyboard.press('Enter')
  await there.sees('Your change is made')
  for (const { id } of made)
    expect((await seller.get(`/api/products/${id}/details`)).body.tags).toEqual(['gift', 'blue'])
})

test('what a form has done is said where it led to, and not in another part of the page', async () => {
  const seller = await shop.signUp('seller')
  const there = await visit(shop, 'with scripts', { signedInAs: seller })
  await there.go('/products/new')
  await fillListing(there, aMug)
  await there.pick('Photos and video', await picture())
  await there.press('button', 'Add a listing')
  await there.sees('Saved. Your new piece is on top')
  await there.press('link', 'Retired')
  await there.heading('Your Listings')
  await there.missing('Saved. Your new piece is on top')
  await there.page.goBack()
  await there.one('link', 'Retired').waitFor()
  await there.missing('Saved. Your new piece is on top')
})
