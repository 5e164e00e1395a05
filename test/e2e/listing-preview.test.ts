import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brokenPicture, eventually, gate, picture, type Visit, visit } from '../support/browser/steps.ts'
import { labels } from '../support/listings.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let seller: Person
beforeAll(async () => {
  shop = await openShop()
  seller = await shop.signUp('seller')
})
afterAll(() => shop.close())

const photos = 'Photos and video'
const pdf = { name: 'mug.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') }

const opened = async (path = '/products/new', expects: RegExp[] = []): Promise<Visit> => {
  const there = await visit(shop, 'with scripts', { signedInAs: seller, expects })
  await there.go(path)
  return there
}

const cardOf = (there: Visit): Locator => there.page.locator('.preview .card')
const thumbnailOf = (there: Visit): Locator => there.page.locator('.drop-zone .thumbnail')
/** Text of the card, beginning with a photo's alternative text. */
const textsOf = (card: Locator) => card.locator(':scope > span').allTextContents()
const isDrawn = (image: Locator) =>
  eventually(() => image.evaluate(one => (one as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)

const by = ({ user }: Person) => `by ${user.username}`

/** Whether the browser still has this object URL. */
const isThere = (there: Visit, address: string) =>
  there.page.evaluate(async src => {
    const image = new Image()
    image.src = src
    return image.decode().then(
      () => true,
      () => false,
    )
  }, address)

describe('the card beside the form', () => {
  test('follows what is typed', async () => {
    const there = await opened()
    const card = cardOf(there)
    expect(await textsOf(card)).toEqual(['Your item', 'Your item', '$0.00', by(seller)])
    await there.fill('Name', ' Round bowl ')
    await there.fill('Price', '1234.5')
    await there.fill('Stock', '3')
    expect(await textsOf(card)).toEqual(['Round bowl', 'Round bowl', '$1234.50', by(seller)])
    await there.fill('Stock', '1')
    await card.getByText('Last one', { exact: true }).waitFor()
    await there.fill('Price', '-1')
    await there.fill('Stock', '-1')
    expect(await textsOf(card)).toEqual(['Round bowl', 'Round bowl', '$0.00', by(seller)])
  })

  test('is hidden from screen readers', async () => {
    const there = await opened()
    await there.fill('Name', 'Silent bowl')
    await there.pick(photos, await picture())
    await cardOf(there).locator('img').waitFor()
    expect(await there.page.locator('main').ariaSnapshot()).not.toMatch(/What shoppers|by seller|img/)
    expect(await there.page.locator('.preview :is(a, button, input)').count()).toBe(0)
  })

  test('shows the chosen photo, and the name for other files', async () => {
    // Requesting a revoked object URL fails.
    const there = await opened('/products/new', [/ERR_FILE_NOT_FOUND/])
    await there.fill('Name', 'Shown bowl')
    const shown = cardOf(there).locator('img')
    await there.pick(photos, await picture())
    await isDrawn(shown)
    await isDrawn(thumbnailOf(there))
    const address = (await shown.getAttribute('src')) ?? ''
    expect(address).toMatch(/^blob:/)
    expect(await isThere(there, address)).toBe(true)
    for (const other of [pdf, brokenPicture]) {
      await there.pick(photos, other)
      await there.sees(other.name)
      await eventually(() => there.page.locator('.selling img').count()).toBe(0)
      await cardOf(there).locator('.placeholder').getByText('Shown bowl').waitFor()
    }
    expect(await isThere(there, address)).toBe(false)
  })

  test('starts with the listing, whose first photo stays first', async () => {
    const bowl = await shop.list(seller, { name: 'Old bowl', price: 8, stock: 1 })
    await seller.upload(`/api/products/${bowl.id}/images`, (await picture()).buffer)
    const there = await opened(`/products/${bowl.id}/edit`)
    const card = cardOf(there)
    expect(await textsOf(card)).toEqual([
      '',
      'Old bowl',
      '$8.00',
      'Last one',
      `${by(seller)}, ${seller.town}`,
    ])
    await there.pick(photos, await picture('second.png'))
    await thumbnailOf(there).waitFor()
    expect(await card.locator('img').getAttribute('src')).toMatch(/^\/images\//)
  })

  test.each([320, 959])('is not there at %i pixels, where the button is wide', async width => {
    const there = await visit(shop, 'with scripts', { signedInAs: seller, width })
    await there.go('/products/new')
    expect(await cardOf(there).isVisible()).toBe(false)
    const size = await there.one('button', 'Add a listing').boundingBox()
    expect(size?.height).toBeGreaterThanOrEqual(44)
    if (width === 320) expect(size?.width).toBe(320 - 2 * 16)
    for (const label of Object.values(labels)) {
      const font = await there.field(label).evaluate(field => getComputedStyle(field).fontSize)
      expect(Number.parseFloat(font)).toBeGreaterThanOrEqual(16)
    }
  })

  test('needs scripts', async () => {
    const there = await visit(shop, 'without scripts', { signedInAs: seller })
    await there.go('/products/new')
    expect(await cardOf(there).isVisible()).toBe(false)
    expect(await there.page.getByText(/\d left$/).count()).toBe(0)
    expect(await there.page.locator('.with-preview').evaluate(({ clientWidth }) => clientWidth)).toBe(544)
  })
})

test('values typed before hydration count', async () => {
  const there = await visit(shop, 'with scripts', { signedInAs: seller })
  const scripts = gate()
  await there.page.route('**/*.js', async route => {
    await scripts.opened
    await route.continue()
  })
  await there.page.goto('/products/new', { waitUntil: 'commit' })
  await there.fill('Name', 'Early bowl')
  await there.pick(photos, await picture('early.png'))
  scripts.open()
  await there.sees('40 left')
  await there.sees('early.png')
  await isDrawn(cardOf(there).locator('img'))
  expect(await textsOf(cardOf(there))).toContain('Early bowl')
})

test('the character counter follows the rules, and is announced when few are left', async () => {
  const there = await opened()
  await there.sees('50 left')
  await there.sees('255 left')
  const counterOf = (label: string) =>
    there.page.locator('.field', { has: there.field(label) }).locator('.left [aria-live]')
  await there.fill('Name', ' 🏺🏺🏺 ')
  await there.sees('47 left')
  await there.fill('Description', 'x'.repeat(240))
  await there.text('15 left').first().waitFor()
  await eventually(() => counterOf('Description').textContent()).toBe('15 left')
  expect(await counterOf('Name').textContent()).toBe('')
  await there.fill('Description', 'x'.repeat(258))
  await there.text('3 too many').first().waitFor()
  await there.fill('Description', '')
  await there.sees('255 left')
  await eventually(() => counterOf('Description').textContent()).toBe('')
})
