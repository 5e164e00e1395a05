import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeBowl, openGroup } from '../support/browser/listing-form.ts'
import { eventually, inEachMode, picture, visit } from '../support/browser/steps.ts'
import { glazedSizes } from '../support/listings.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

inEachMode(mode => {
  test('a maker says what a piece is made in, then the price and the stock of each combination', async () => {
    const maker = await shop.signUp('maker')
    const there = await visit(shop, mode, { signedInAs: maker, expects: [/status of 400/] })
    await there.go('/products/new')
    await describeBowl(there, 'Bowl in sizes')
    await there.pick('Photos and video', await picture())
    await openGroup(there, 'Variations')
    const first = there.page.getByRole('group', { name: 'Variation 1' })
    await first.getByLabel('What differs').fill('Size')
    await first.getByLabel('To choose from').fill('Small\nLarge')
    await there.press('button', 'Add a listing')
    await there.arrives('/your-listings')
    const [{ id, price, stock }] = (await maker.get('/api/products/current')).body.products
    const stored = async () =>
      (await maker.get(`/api/products/${id}/details`)).body.variations.combinations.map(
        ({ options, price, stock }: { options: string[]; price: number; stock: number }) => [
          ...options,
          price,
          stock,
        ],
      )
    const before = (await stored())[0]
    expect(await stored()).toEqual([before, ['Large', price, before[2]]])
    expect(stock).toBe(2 * before[2])

    await there.go(`/products/${id}/edit`)
    await there.fill('Price of Large', '0')
    await there.fill('Stock of Large', '7')
    await there.press('button', 'Update listing')
    await there.describes('Price of Large', 'Price must be a positive number')
    expect(await there.valueOf('Stock of Large')).toBe('7')
    await there.fill('Price of Large', '99.5')
    await there.fill('SKU of Large', 'BOWL-L')
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    expect(await stored()).toEqual([before, ['Large', 99.5, 7]])
  })

  test('the combinations of a draft stay through its saves, and are published', async () => {
    const maker = await shop.signUp('maker')
    const { id } = (await maker.post('/api/drafts/', { fields: { name: 'Bowl in sizes' } })).body
    const there = await visit(shop, mode, { signedInAs: maker })
    await there.go(`/drafts/${id}`)
    await describeBowl(there, 'Bowl in sizes')
    await there.pick('Photos and video', await picture())
    await openGroup(there, 'Variations')
    const first = there.page.getByRole('group', { name: 'Variation 1' })
    await first.getByLabel('What differs').fill('Size')
    await first.getByLabel('To choose from').fill('Small\nLarge')
    await there.press('button', 'Save the draft')
    await there.sees('Your draft is saved. Only you see it')
    await openGroup(there, 'Variations')
    await there.fill('Price of Large', '99.5')
    await there.press('button', 'Save the draft')
    await eventually(async () => JSON.stringify((await maker.get(`/api/drafts/${id}`)).body)).toContain(
      '99.5',
    )
    await eventually(() => there.one('button', 'Save the draft').getAttribute('aria-disabled')).toBe(null)
    await there.press('button', 'Publish')
    await there.arrives('/your-listings')
    const [listing] = (await maker.get('/api/products/current')).body.products
    const { combinations } = (await maker.get(`/api/products/${listing.id}/details`)).body.variations
    expect(combinations).toMatchObject([{ options: ['Small'] }, { options: ['Large'], price: 99.5 }])
  })

  test('a maker sees a row for each new combination before it is for sale', async () => {
    const maker = await shop.signUp('maker')
    const there = await visit(shop, mode, { signedInAs: maker, expects: [/status of 400/] })
    await there.go('/products/new')
    await describeBowl(there, 'Bowl in sizes')
    await openGroup(there, 'Variations')
    const [first, second] = ['Variation 1', 'Variation 2'].map(name =>
      there.page.getByRole('group', { name }),
    ) as [Locator, Locator]
    await first.getByLabel('What differs').fill('Size')
    await first.getByLabel('To choose from').fill('Small\nLarge')
    // Without scripts a saved draft has the rows.
    if (!there.scripted) await there.press('button', 'Save as a draft')
    await there.fill('Price of Large', '30')
    await there.fill('Stock of Large', '2')
    await there.pick('Photos and video', await picture())
    await there.press('button', there.scripted ? 'Add a listing' : 'Publish')
    await there.arrives('/your-listings')
    await there.sees('From $12.50')
    const [{ id }] = (await maker.get('/api/products/current')).body.products
    const stored = async () =>
      (await maker.get(`/api/products/${id}/details`)).body.variations.combinations.map(
        ({ options, price, stock }: { options: string[]; price: number; stock: number }) => [
          options.join(),
          price,
          stock,
        ],
      )
    const [small] = await stored()
    expect(await stored()).toEqual([small, ['Large', 30, 2]])

    // Another name is another combination: nobody sells by accident what has no stock.
    await there.go(`/products/${id}/edit`)
    await first.getByLabel('To choose from').fill('Small\nVery large')
    if (!there.scripted) {
      await there.press('button', 'Update listing')
      await there.sees('Very large is new: give it a price and a stock below')
    }
    expect(await there.valueOf('Stock of Very large')).toBe('0')
    expect(await there.valueOf('Price of Small')).toBe(small[1].toFixed(2))
    await there.fill('Price of Very large', '40')
    await there.fill('Stock of Very large', '3')
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    expect(await stored()).toEqual([small, ['Very large', 40, 3]])

    // A second variation divides each row, with its price.
    await there.go(`/products/${id}/edit`)
    await second.getByLabel('What differs').fill('Glaze')
    await second.getByLabel('To choose from').fill('Red\nBlue')
    if (!there.scripted) await there.press('button', 'Update listing')
    expect(await there.valueOf('Price of Very large · Blue')).toBe('40.00')
    await there.fill('Stock of Very large · Blue', '1')
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    expect(await stored()).toEqual([
      ['Small,Red', small[1], 0],
      ['Small,Blue', small[1], 0],
      ['Very large,Red', 40, 0],
      ['Very large,Blue', 40, 1],
    ])
  })

  test('rows follow a price that was refused and is mended', async () => {
    const maker = await shop.signUp('maker')
    const there = await visit(shop, mode, { signedInAs: maker, expects: [/status of 400/] })
    await there.go('/products/new')
    await describeBowl(there, 'Bowl that was too precise')
    await there.pick('Photos and video', await picture())
    await there.fill('Price', '24.999')
    await openGroup(there, 'Variations')
    const first = there.page.getByRole('group', { name: 'Variation 1' })
    await first.getByLabel('What differs').fill('Size')
    await first.getByLabel('To choose from').fill('Small\nLarge')
    await there.press('button', 'Add a listing')
    await there.describes('Price', 'Price cannot have more than two decimals')
    expect(await there.valueOf('Price of Small')).toBe('25.00')
    if (!there.scripted) await there.pick('Photos and video', await picture())
    await there.fill('Price of Large', '30')
    await there.fill('Price', '23')
    if (there.scripted) await eventually(() => there.valueOf('Price of Small')).toBe('23.00')
    await there.fill('Price', '24.99')
    // At once: a row shows it only after a pause.
    await there.press('button', 'Add a listing')
    await there.arrives('/your-listings')
    const [{ id }] = (await maker.get('/api/products/current')).body.products
    const { body } = await maker.get(`/api/products/${id}/details`)
    expect(body.variations.combinations.map(({ price }: { price: number }) => price)).toEqual([24.99, 30])
  })

  test('a maker who takes away what was sold meanwhile is told, and can save what is left', async () => {
    const maker = await shop.signUp('maker')
    const { id } = await shop.list(maker, {
      name: 'Mug in glazes',
      variations: glazedSizes,
    })
    const there = await visit(shop, mode, { signedInAs: maker, expects: [/status of 409/] })
    await there.go(`/products/${id}/edit`)
    await there.fill('Stock of Large · Blue', '1')
    const shopper = await shop.signUp('shopper')
    const answers = [
      { question: 'Size', answer: 'Large' },
      { question: 'Glaze', answer: 'Blue' },
    ]
    await shopper.post(`/api/cart_items/add/${id}`, { quantity: 2, answers })
    await shopper.post('/api/orders/checkout')
    await there.press('button', 'Update listing')
    await there.sees('Some were sold meanwhile: 2 of Large, Blue left')
    expect(await there.valueOf('Stock of Large · Blue')).toBe('1')
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    const { variations } = (await maker.get(`/api/products/${id}/details`)).body
    expect(variations.combinations.map(({ stock }: { stock: number }) => stock)).toEqual([1, 0, 1])
  })
})
