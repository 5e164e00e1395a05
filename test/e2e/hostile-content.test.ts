import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NewReview } from '#reviews/contract.ts'
import { ShopInput } from '#sellers/contract.ts'
import { picture, type Visit, visit } from '../support/browser/steps.ts'
import { mugSaying } from '../support/listings.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'
import { filled } from '../support/text-fields.ts'

/** Texts that break layouts: without spaces, right to left, emoji. */
const hands: Record<string, { word: (length: number) => string }> = {
  'one long word': { word: length => 'W'.repeat(length) },
  'from right to left': { word: length => 'שלום מחרוזת ארוכה מאוד '.repeat(100).slice(0, length).trim() },
  'one long word from right to left': { word: length => 'ش'.repeat(length) },
  emoji: { word: length => '🧶'.repeat(length) },
  'families of emoji': { word: length => '👩‍👩‍👧‍👦'.repeat(Math.floor(length / 7)) },
}

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

interface Written {
  author: Person
  username: string
  product: number
  order: number
}

/** A profile, a listing, a review, an order and a cart with such texts in every field. */
async function writtenBy(word: (length: number) => string): Promise<Written> {
  const author = await shop.signUp('author')
  const username = `${word(24)}${author.user.id}`
  await shop.db
    .updateTable('users')
    .set({ first_name: word(30), last_name: word(30), username })
    .where('id', '=', author.user.id)
    .execute()
  const longestWord = (_: string, max: number) => word(max)
  await author.put(`/api/shops/${encodeURIComponent(username)}`, filled(ShopInput, longestWord))
  const input = { ...mugSaying(longestWord), price: 999_999.99, stock: 1_000_000 }
  const { id: product } = await shop.list(author, input)
  await author.upload(`/api/products/${product}/images`, (await picture()).buffer)
  const { id: bare } = await shop.list(author, input)
  const review = { ...filled(NewReview, longestWord), stars: 4 }
  await author.post(`/api/reviews/${product}/create-review`, review)
  await author.post(`/api/cart_items/add/${product}`, { quantity: 30 })
  const order = (await author.post('/api/orders/checkout')).body.id
  for (const id of [product, bare]) await author.post(`/api/cart_items/add/${id}`, { quantity: 30 })
  return { author, username, product, order }
}

/** Elements that overflow the window at its left or right. Scrolling strips may. */
const outside = (there: Visit): Promise<string[]> =>
  there.page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const wide = document.documentElement.scrollWidth - width
    const visible = [...document.querySelectorAll<HTMLElement>('body *')].filter(
      element => element.checkVisibility() && !element.closest('.visually-hidden, .categories, .skip'),
    )
    const beyond = visible.filter(element => {
      const { left, right } = element.getBoundingClientRect()
      return right > width + 1 || left < -1
    })
    return [...(wide > 0 ? [`page: ${wide} px too wide`] : []), ...beyond.map(e => e.outerHTML.slice(0, 100))]
  })

describe.each(Object.entries(hands))('written as %s', (_hand, { word }) => {
  test('nothing overflows a window of 320 px, on any page or dialog', async () => {
    const { author, username, product, order } = await writtenBy(word)
    const there = await visit(shop, 'with scripts', { signedInAs: author, width: 320 })
    const found: string[] = []
    const check = async (place: string) => {
      found.push(...(await outside(there)).map(finding => `${place}: ${finding}`))
    }
    const pages = [
      '/',
      `/products/${product}`,
      '/cart',
      '/orders/view',
      '/your-listings',
      `/products/${product}/edit`,
      `/shops/${encodeURIComponent(username)}`,
    ]
    for (const path of pages) {
      await there.go(path)
      await check(path)
    }
    await there.go('/')
    await there.openMenu()
    await check('menu')
    const dialogs: [path: string, press: string][] = [
      [`/products/${product}`, 'Edit Review'],
      ['/cart', 'Proceed to checkout'],
      ['/orders/view', `Cancel Order #${order}`],
    ]
    for (const [path, press] of dialogs) {
      await there.go(path)
      await there.press('button', press)
      await there.page.getByRole('dialog').waitFor()
      await check(press)
    }
    await there.go('/your-listings')
    await there.page
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click()
    await there.page.getByRole('dialog').waitFor()
    await check('Delete')
    await there.go(`/products/${product}`)
    await there.page.getByRole('link', { name: /^Enlarge/ }).click()
    await there.page.getByRole('dialog').waitFor()
    await check('Enlarge')
    expect(found).toEqual([])
  })
})
