import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, gate, type Visit, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let maker: Person
const ids: Record<string, number> = {}
beforeAll(async () => {
  shop = await openShop()
  maker = await shop.signUp('odile')
  const list = async (name: string, input: object) => {
    ids[name] = (await shop.list(maker, { name, ...input })).id
  }
  await list('Blue mug', { price: 20, category: 'Home & Living' })
  await list('Green mug', { price: 30, category: 'Art & Collectibles' })
  await list('Wool scarf', { price: 40, category: 'Clothing & Shoes' })
})
afterAll(() => shop.close())

describe('suggestions', () => {
  const field = (there: Visit) => there.page.locator('#search-header[role=combobox]')
  const listed = (there: Visit) => there.page.locator('.suggestions [role=option]')
  const options = (there: Visit) => listed(there).allTextContents()

  test('appear while typing, are announced, and chosen with the arrow keys', async () => {
    const there = await visit(shop, 'with scripts')
    await there.go('/')
    await there.page.locator('#search-header').pressSequentially('mug')
    await eventually(() => options(there)).toEqual(['Green mug$30.00', 'Blue mug$20.00'])
    await there.sees('2 suggestions')
    expect(await field(there).getAttribute('aria-expanded')).toBe('true')
    await there.page.keyboard.press('ArrowDown')
    await there.page.keyboard.press('ArrowDown')
    const chosen = there.page.locator('.suggestions [aria-selected=true]')
    expect(await chosen.textContent()).toBe('Blue mug$20.00')
    expect(await field(there).getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
    await there.page.keyboard.press('Enter')
    await there.arrives(`/products/${ids['Blue mug']}`)
  })

  test('what is typed while results load stays, and is searched next', async () => {
    const there = await visit(shop, 'with scripts')
    await there.go('/')
    const { open, opened } = gate()
    await there.page.route('**/api/products/?**', async route => {
      await opened
      await route.continue()
    })
    const input = there.page.locator('#search-header')
    await input.fill('mug')
    await input.press('Enter')
    await there.page.locator('main[aria-busy=true]').waitFor()
    await input.pressSequentially(' blue')
    open()
    await there.arrives('/search?q=mug')
    expect(await input.inputValue()).toBe('mug blue')
    await input.press('Enter')
    await there.arrives('/search?q=mug+blue')
    expect(await input.inputValue()).toBe('mug blue')
    await there.go('/search?q=mug')
    await input.fill('scarf')
    await there.page.locator('main').getByRole('link', { name: 'Blue mug' }).first().click()
    await there.arrives(`/products/${ids['Blue mug']}`)
    await eventually(() => input.inputValue()).toBe('')
  })

  test('include sellers and categories, as links', async () => {
    const there = await visit(shop, 'with scripts')
    await there.go('/')
    await there.page.locator('#search-header').pressSequentially('cloth')
    await eventually(() => options(there)).toEqual(['Clothing & ShoesCategory', 'Wool scarf$40.00'])
    await listed(there).first().click()
    await there.arrives('/categories/clothing-shoes')
    await there.page.locator('#search-header').pressSequentially('odil')
    await listed(there).filter({ hasText: maker.user.username }).waitFor()
  })

  test('close on Escape and blur; Enter without a choice searches', async () => {
    const there = await visit(shop, 'with scripts')
    await there.go('/')
    const input = there.page.locator('#search-header')
    await input.pressSequentially('mug')
    await listed(there).first().waitFor()
    await there.page.keyboard.press('Escape')
    await eventually(() => options(there)).toEqual([])
    expect(await input.inputValue()).toBe('mug')
    await there.page.keyboard.press('Enter')
    await there.arrives('/search?q=mug')
  })

  test('that come after the field was left do not open', async () => {
    const there = await visit(shop, 'with scripts')
    await there.go('/')
    const input = there.page.locator('#search-header')
    let asked = 0
    const { promise: late, resolve: answer } = Promise.withResolvers<void>()
    await there.page.route('**/suggestions*', async route => {
      asked++
      await late
      await route.continue()
    })
    await input.pressSequentially('mug')
    await eventually(async () => asked).toBe(1)
    await there.page.keyboard.press('Tab')
    const answered = there.page.waitForResponse(/suggestions/)
    answer()
    await answered
    // Nothing must happen: some frames later they would be there.
    await there.page.evaluate(async () => {
      for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame)
    })
    expect(await options(there)).toEqual([])
  })

  test('fail silently offline, and searching works', async () => {
    const there = await visit(shop, 'with scripts', { expects: [/Network failure/, /ERR_FAILED/] })
    await there.go('/')
    await there.page.route('**/suggestions*', route => route.abort())
    await there.page.locator('#search-header').pressSequentially('mug')
    await there.sees('No suggestions')
    await there.page.keyboard.press('Enter')
    await there.arrives('/search?q=mug')
  })
})
