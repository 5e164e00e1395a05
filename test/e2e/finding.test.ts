import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, inEachMode, type Visit, visit } from '../support/browser/steps.ts'
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
  for (let n = 1; n <= 26; n++) await list(`Plain tile ${n}`, { price: n, description: 'Fired clay.' })
  await list('Blue mug', { price: 20, category: 'Home & Living' })
  await list('Green mug', { price: 30, category: 'Art & Collectibles' })
  await list('Wool scarf', { price: 40, category: 'Clothing & Shoes', stock: 1 })
  await maker.post(`/api/reviews/${ids['Green mug']}/create-review`, { review: 'Warm.', stars: 4 })
  await maker.post(`/api/cart_items/add/${ids['Wool scarf']}`, { quantity: 1 })
  await maker.post('/api/orders/checkout')
})
afterAll(() => shop.close())

const cards = (there: Visit) => there.page.locator('main .grid .card-name').allTextContents()
const shows = (there: Visit, ...names: string[]) => eventually(() => cards(there)).toEqual(names)
/** In a wide window they are in sight. */
const opensFilters = async (there: Visit) => {
  const button = there.page.locator('summary', { hasText: 'Filter' })
  if (await button.isVisible()) await there.pressThis(button)
}

inEachMode(mode => {
  test('a search from the header finds its words, and every filter has an address', async () => {
    const there = await visit(shop, mode)
    await there.go('/')
    const field = there.page.locator('#search-header')
    if (mode === 'by keyboard') await there.tabTo(field)
    await field.pressSequentially('mugs')
    if (mode === 'by keyboard') await there.page.keyboard.press('Enter')
    else await there.page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
    await there.arrives('/search?q=mugs')
    await there.heading('“mugs”')
    await shows(there, 'Green mug', 'Blue mug')
    await opensFilters(there)
    await there.choose('Category', 'Home & Living (1)')
    await there.fill('Price to', '25.50')
    await there.press('button', 'Show')
    await there.arrives('/search?q=mugs&category=Home+%26+Living&max=25.50')
    await shows(there, 'Blue mug')
    await there.press('link', 'Remove the filter Home & Living')
    await there.arrives('/search?q=mugs&max=25.50')
    await there.press('link', 'Clear filters')
    await there.arrives('/search')
    await eventually(() => there.page.locator('.results').textContent()).toContain('29 pieces.')
  })

  test('an empty list suggests filters to drop, with the number of matches', async () => {
    const there = await visit(shop, mode)
    await there.go('/search?q=mug&max=5&sort=price_asc')
    await there.sees('No items match')
    expect(await there.page.locator('.loosened li').allTextContents()).toEqual([
      'Without “mug”: 5 pieces',
      'At any price: 2 pieces',
    ])
    await there.one('link', 'Clear filters').last().waitFor()
    await there.press('link', 'At any price: 2 pieces')
    await there.arrives('/search?q=mug&sort=price_asc')
    await shows(there, 'Blue mug', 'Green mug')
    // Each of these two alone leaves no matches.
    await there.go('/search?q=mug&max=5&rating=5')
    await there.press('link', '“mug” without filters: 2 pieces')
    await there.arrives('/search?q=mug')
  })

  test('a minimum price above the maximum is refused beside the fields, which stay', async () => {
    const there = await visit(shop, mode, { expects: [/status of 400/] })
    await there.go('/categories/art-collectibles')
    await opensFilters(there)
    await there.fill('Price from', '9')
    await there.fill('Price to', '3')
    await there.press('button', 'Show')
    await there.arrives('/categories/art-collectibles?min=9&max=3')
    await there.sees('Minimum price cannot exceed maximum price')
    await there.describes('Price from', 'Minimum price cannot exceed maximum price')
    expect(await there.valueOf('Price from')).toBe('9')
    await there.fill('Price from', '3')
    await there.fill('Price to', '30')
    await there.press('button', 'Show')
    await shows(there, 'Green mug')
  })

  test('the landing page filters, sorts and pages, and names its order', async () => {
    const there = await visit(shop, mode)
    await there.go('/')
    await there.press('link', 'Browse')
    await there.arrives('/search')
    await there.sees('Newest first.')
    await there.go('/')
    await there.sees('Newest first. Nobody pays to stand higher.')
    await there.choose('Sort by', 'Price, highest first')
    await there.press('button', 'Sort')
    await there.arrives('/?sort=price_desc')
    await there.sees('Highest price first. Nobody pays to stand higher.')
    const first = await cards(there)
    expect(first.slice(0, 3)).toEqual(['Wool scarf', 'Green mug', 'Plain tile 26'])
    await there.press('link', 'Next 24')
    await eventually(() => cards(there)).toHaveLength(5)
    expect([...first, ...(await cards(there))]).toHaveLength(
      new Set([...first, ...(await cards(there))]).size,
    )
    await there.heading('More from the workbench')
    await there.page.getByText('Page 2', { exact: true }).waitFor()
    expect(await there.one('link', 'Next 24').count()).toBe(0)
    await there.press('link', 'Previous')
    await there.arrives('/?sort=price_desc')
    await shows(there, ...first)
  })

  test('each category shows its number of matches', async () => {
    const there = await visit(shop, mode)
    await there.go('/search?q=mug')
    const strip = there.page.getByRole('navigation', { name: 'Categories' })
    expect(await strip.getByRole('link').allTextContents()).toEqual([
      'Home & Living1 piece',
      'Clothing & Shoes0 pieces',
      'Jewelry & Accessories0 pieces',
      'Toys & Entertainment0 pieces',
      'Art & Collectibles1 piece',
    ])
    await there.pressThis(strip.getByRole('link').last())
    await there.arrives('/categories/art-collectibles?q=mug')
    await shows(there, 'Green mug')
  })

  test('a price range is chosen with one press, and left with another', async () => {
    const there = await visit(shop, mode)
    await there.go('/search?q=mug&sort=price_asc')
    await there.press('link', 'Up to $25')
    await there.arrives('/search?q=mug&sort=price_asc&max=25')
    await there.one('link', 'Remove the filter to $25').waitFor()
    expect(await there.one('link', 'Up to $25').getAttribute('aria-current')).toBe('true')
    await there.press('link', '$25 to $50')
    await there.arrives('/search?q=mug&max=50&sort=price_asc&min=25')
    await there.press('link', '$25 to $50')
    await there.arrives('/search?q=mug&sort=price_asc')
  })

  test('a seller’s page filters and sorts only their listings', async () => {
    const there = await visit(shop, mode)
    const page = `/shops/${maker.user.username}`
    await there.go(page)
    await opensFilters(there)
    await there.fill('Words', 'mug')
    await there.choose('Sort by', 'Price, lowest first')
    await there.press('button', 'Show')
    await there.arrives(`${page}?sort=price_asc&q=mug`)
    await shows(there, 'Blue mug', 'Green mug')
  })

  test('a misspelled word is corrected, and the page shows the correction', async () => {
    const there = await visit(shop, mode)
    await there.go('/search?q=muug')
    await there.page.getByText('Nothing says “muug”; these say “mug”.').waitFor()
    await shows(there, 'Green mug', 'Blue mug')
    await there.go('/search?q=zeppelin+muug')
    await there.page.getByText('No piece says both; these say “mug”.').waitFor()
    await shows(there, 'Green mug', 'Blue mug')
  })

  test('a listing links to its category and to similar listings, the best match first', async () => {
    const there = await visit(shop, mode)
    await there.go(`/products/${ids['Blue mug']}`)
    await there.pressThis(
      there.page.getByRole('main').getByRole('link', { name: 'Home & Living', exact: true }),
    )
    await there.arrives('/categories/home-living')
    await there.go(`/products/${ids['Blue mug']}`)
    // By the same maker: with the others of theirs, and not twice.
    await there.heading('Meet the maker')
    const theirs = there.page.locator('.their-pieces')
    expect((await theirs.locator('.card-name').allTextContents())[0]).toBe('Green mug')
    await there.heading('More like this')
    expect(await cards(there)).not.toContain('Green mug')
    await there.pressThis(theirs.getByRole('link').first())
    await there.arrives(`/products/${ids['Green mug']}`)
  })
})

test('empty fields do not appear in the address, with and without scripts', async () => {
  const response = await shop.visitor().get('/search?q=mug&category=&min=&max=&rating=&sort=')
  expect([response.status, response.headers.location]).toEqual([302, '/search?q=mug'])
  // Unknown choices are ignored by a redirect.
  const odd = await shop.visitor().get('/search?q=mug&sort=banana&rating=9&in_stock=yes&category=Food&min=1')
  expect([odd.status, odd.headers.location]).toEqual([302, '/search?q=mug&min=1'])
  expect((await shop.visitor().get('/search?min=2&max=1')).status).toBe(400)
  const lost = await shop.visitor().get('/search?cursor=x')
  expect([lost.status, lost.body.includes('This part of the list cannot be found.')]).toEqual([400, true])
  expect((await shop.visitor().get(`/search?q=${'x'.repeat(3_000)}`)).status).toBe(400)
})

test('recently viewed listings are stored in the browser alone', async () => {
  const there = await visit(shop, 'with scripts')
  const recent = () =>
    there.page.getByRole('region', { name: 'Recently viewed' }).locator('.card-name').allTextContents()
  await there.go(`/products/${ids['Blue mug']}`)
  const stored = () => there.page.evaluate(() => localStorage.getItem('recently-viewed'))
  await eventually(stored).toBe(JSON.stringify([ids['Blue mug']]))
  await there.go(`/products/${ids['Green mug']}`)
  await eventually(recent).toEqual(['Blue mug'])
  await there.go(`/products/${ids['Wool scarf']}`)
  await eventually(recent).toEqual(['Green mug', 'Blue mug'])
  await there.go(`/products/${ids['Blue mug']}`)
  await eventually(recent).toEqual(['Wool scarf', 'Green mug'])
  expect((await there.page.context().cookies()).length).toBe(0)
})

test('on a narrow screen the search field is on the page, linked from everywhere', async () => {
  const there = await visit(shop, 'with scripts', { width: 375 })
  await there.go('/cart')
  await there.press('link', 'Search')
  await there.arrives('/search')
  const focused = () => there.page.evaluate(() => document.activeElement?.id)
  await eventually(focused).toBe('search-page')
  await there.page.keyboard.type('scarf')
  await there.page.keyboard.press('Enter')
  await there.arrives('/search?q=scarf')
  await shows(there, 'Wool scarf')
  // From results it leads to the field and keeps the search.
  await there.go('/search?q=scarf&max=90')
  await there.press('link', 'Search')
  await there.arrives('/search?q=scarf&max=90')
  await eventually(focused).toBe('search-page')
  await shows(there, 'Wool scarf')
})
