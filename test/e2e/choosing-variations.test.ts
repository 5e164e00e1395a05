import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriers } from '../support/browser/axe.ts'
import { openGroup } from '../support/browser/listing-form.ts'
import { eventually, inEachMode, picture, visit } from '../support/browser/steps.ts'
import { glazedSizes } from '../support/listings.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

inEachMode(mode => {
  test('a shopper chooses a combination, and it is ordered with its price', async () => {
    const maker = await shop.signUp('maker')
    const shopper = await shop.signUp('shopper')
    const { id } = await shop.list(maker, {
      name: 'Mug in glazes',
      variations: glazedSizes,
    })
    const there = await visit(shop, mode, { signedInAs: shopper, expects: [/status of 4\d\d/] })
    await there.go(`/products/${id}`)
    await there.sees('From $12.00')
    await there.press('button', 'Add to cart')
    await there.describes('Size', 'Please answer “Size”')
    await there.choose('Size', 'Large')
    await there.choose('Glaze', 'Red')
    if (there.scripted) await there.sees('Large, Red is not made. Please choose another combination')
    await there.press('button', 'Add to cart')
    await there.sees('The maker does not make this combination. Please choose another one')
    await there.choose('Size', 'Large')
    await there.choose('Glaze', 'Blue')
    if (there.scripted) {
      await there.sees('Large, Blue: $18.50')
      // The bar of a phone shows it beside its button.
      expect(await there.page.locator('.add-to-cart').getAttribute('data-price')).toBe('$18.50')
    }
    await there.press('button', 'Add to cart')
    await there.sees('Item added to cart!')
    await there.go('/cart')
    const line = there.page.locator('.cart-line')
    await line.getByText('Price: $18.50').waitFor()
    await line.getByText('Blue').waitFor()
    // Another combination would be a line of the same name.
    await line.getByRole('button', { name: /^Remove .* \(Size: Large; Glaze: Blue\)$/ }).waitFor()
    await there.press('button', 'Proceed to checkout')
    await there.dialog('Review Your Order')
    await there.page.locator('.checkout-lines li').filter({ hasText: 'Large' }).waitFor()
    await there.press('button', 'Yes (place order)')
    await there.arrives('/orders/view')
    await there.page.locator('.order-line').filter({ hasText: 'Large' }).waitFor()
    const { variations } = (await maker.get(`/api/products/${id}/details`)).body
    expect(variations.combinations.map(({ stock }: { stock: number }) => stock)).toEqual([1, 0, 3])
  })

  test('a combination shows its photo', async () => {
    const maker = await shop.signUp('maker')
    const { id } = await shop.list(maker, {
      name: 'Mug in glazes',
      variations: glazedSizes,
    })
    const photos: { url: string }[] = []
    for (const _ of [1, 2])
      photos.push((await maker.upload(`/api/products/${id}/images`, (await picture()).buffer)).body)
    const there = await visit(shop, mode, { signedInAs: maker })
    await there.go(`/products/${id}/edit`)
    await openGroup(there, 'Variations')
    await there.choose('Photo of Large · Blue', '2')
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')

    const shopper = await shop.signUp('shopper')
    const other = await visit(shop, mode, { signedInAs: shopper })
    await other.go(`/products/${id}`)
    await other.choose('Size', 'Large')
    await other.choose('Glaze', 'Blue')
    if (!other.scripted) {
      await other.pressThis(other.page.getByText('Prices of all combinations'))
      await other.press('link', 'Photo of Large · Blue')
    }
    await other.page.locator('.thumbnails [aria-current]').and(other.one('link', 'Photo 2 of 2')).waitFor()
    if (!other.scripted) {
      await other.choose('Size', 'Large')
      await other.choose('Glaze', 'Blue')
    } else expect([await other.valueOf('Size'), await other.valueOf('Glaze')]).toEqual(['Large', 'Blue'])
    await other.press('button', 'Add to cart')
    await other.sees('Item added to cart!')
    await other.go('/cart')
    expect(await other.page.locator('.cart-line img').getAttribute('src')).toBe(photos[1]?.url)
  })
})

test('the options of one variation have their prices, and those that are sold out cannot be chosen', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await shop.list(maker, {
    variations: {
      variations: glazedSizes.variations.slice(0, 1),
      combinations: [
        { options: ['Small'], price: 12, stock: 0, sku: '' },
        { options: ['Large'], price: 18.5, stock: 4, sku: '' },
      ],
    },
  })
  const there = await visit(shop, 'without scripts')
  await there.go(`/products/${id}`)
  const all = there.field('Size').locator('option')
  expect(await all.allTextContents()).toEqual(['Choose one', 'Small – $12.00 – sold out', 'Large – $18.50'])
  expect(await all.nth(1).isDisabled()).toBe(true)
})

test.each(['light', 'dark'] as const)('choosing has no barriers, and fits a phone, %s', async theme => {
  const maker = await shop.signUp('maker')
  const { id } = await shop.list(maker, {
    name: 'Mug in glazes',
    variations: glazedSizes,
  })
  for (const address of [`/products/${id}`, `/products/${id}/edit`]) {
    const there = await visit(shop, 'with scripts', { signedInAs: maker, theme, width: 320 })
    await there.go(address)
    await there.page.locator('details').evaluateAll(all => {
      for (const element of all) (element as HTMLDetailsElement).open = true
    })
    const isFit = () => there.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
    await eventually(isFit).toBe(true)
    expect(await barriers(there.page)).toEqual([])
  }
})
