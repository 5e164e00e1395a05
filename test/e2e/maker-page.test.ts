import { afterAll, beforeAll, expect, test } from 'vitest'
import { go, openPage } from '../support/browser/browser.ts'
import { brokenPicture, eventually, inEachMode, picture, visit } from '../support/browser/steps.ts'
import { aShopPage } from '../support/fixtures.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const pageOf = ({ user }: Person) => `/shops/${encodeURIComponent(user.username)}`
const words = 'I throw mugs, and most of them stay round. '.repeat(11).trim()

inEachMode(mode => {
  test('makers choose a wide photo, how they are reached and what they say of returns', async () => {
    const maker = await shop.signUp('maker')
    const { id } = await shop.list(maker, { name: 'Speckled mug' })
    const there = await visit(shop, mode, { signedInAs: maker })
    const banner = there.page.locator('.maker-banner img')
    await there.go('/settings/shop')
    await there.pressThis(there.one('link', 'Photo and policies').first())
    await there.arrives('/settings/policies')
    await there.heading('Photo and policies')
    await there.pick('Wide photo above your page', await picture('wide.png'))
    await there.fill('What the photo shows', 'A bench in the sun')
    await there.fill('Email', 'post@pottery.example')
    await there.fill('Phone', '+351 21 000 00 00')
    await there.fill('Returns', 'Within 14 days.\n\nPlease write first.')
    await there.fill('Care', 'By hand.')
    await there.press('button', 'Save')
    await there.one('status', '').getByText('Saved', { exact: true }).waitFor()
    expect(await banner.getAttribute('alt')).toBe('A bench in the sun')
    expect(await there.field('Wide photo above your page').inputValue()).toBe('')

    await there.go(`/products/${id}`)
    await there.press('link', 'Returns: what the maker says')
    await eventually(() => there.path).toBe(pageOf(maker))
    await there.heading('Returns')
    await there.page.getByText('Please write first.').waitFor()
    await there.heading('Care')
    expect(await there.one('heading', 'Custom orders').count()).toBe(0)
    await there.one('link', 'post@pottery.example').waitFor()
    await there.page.locator('.maker-about').getByText('1 piece').waitFor()
    await banner.waitFor()

    await there.go('/settings/policies')
    await there.fill('Care', 'In the machine.')
    await there.press('button', 'Remove photo')
    await there.one('status', '').getByText('Photo removed', { exact: true }).waitFor()
    await eventually(() => banner.count()).toBe(0)
    expect(await there.valueOf('Care')).toBe('In the machine.')
    await there.press('button', 'Save')
    await there.one('status', '').getByText('Saved', { exact: true }).waitFor()
    const { body } = await maker.get(`/api${pageOf(maker)}/page`)
    expect(body).toMatchObject({ care: 'In the machine.', banner: null })
  })

  test('what cannot be shown is reported under its field, and nothing typed is lost', async () => {
    const maker = await shop.signUp('maker')
    const there = await visit(shop, mode, { signedInAs: maker, expects: [/status of 400/] })
    await there.go('/settings/policies')
    await there.fill('Email', 'nobody')
    await there.fill('Phone', 'ring me')
    await there.fill('Returns', 'x'.repeat(2001))
    await there.press('button', 'Save')
    await there.describes('Email', 'Please provide a valid email')
    await there.describes('Phone', 'Phone can have digits, spaces and + ( ) - . / only')
    await there.describes('Returns', 'Returns cannot be more than 2000 characters')
    expect(await there.valueOf('Phone')).toBe('ring me')
    await there.fill('Email', '')
    await there.fill('Phone', '')
    await there.fill('Returns', 'Fits')
    await there.pick('Wide photo above your page', brokenPicture)
    await there.press('button', 'Save')
    await there.describes(
      'Wide photo above your page',
      'File does not have an approved extension: jpg, jpeg, png, gif, webp, avif',
    )
    expect(await there.valueOf('Returns')).toBe('Fits')
    expect((await maker.get(`/api${pageOf(maker)}/page`)).body).toMatchObject({ returns: '', banner: null })
  })

  test('on phones long words have four lines until they are opened', async () => {
    const maker = await shop.signUp('maker')
    await maker.put(`/api${pageOf(maker)}`, { words, place: '' })
    const there = await visit(shop, mode, { width: 390 })
    await there.go(pageOf(maker))
    const said = there.page.locator('.maker-words')
    const lines = () =>
      said.evaluate(text =>
        Math.round(text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight)),
      )
    expect(await said.textContent()).toBe(words)
    expect(await lines()).toBe(4)
    const button = there.page.locator('.whole-words summary')
    await there.pressThis(button)
    await eventually(lines).toBeGreaterThan(6)
    expect(await button.getByText('less').isVisible()).toBe(true)
    expect(await button.getByText('more').isVisible()).toBe(false)
    await there.pressThis(button)
    await eventually(lines).toBe(4)
  })
})

test('the wide photo moves nothing when it comes, and fills its box', async () => {
  const maker = await shop.signUp('maker')
  await maker.upload(`/api${pageOf(maker)}/banner`, (await picture()).buffer)
  await maker.put(`/api${pageOf(maker)}/page`, aShopPage)
  for (const width of [1280, 390, 320]) {
    const page = await openPage(shop, { width })
    await page.addInitScript(() => {
      const seen = { shifts: 0 }
      Object.assign(globalThis, { seen })
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) seen.shifts += (entry as unknown as { value: number }).value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await go(page, pageOf(maker))
    const image = page.locator('.maker-banner img')
    const box = (await image.boundingBox()) ?? { width: 0, height: 0 }
    expect(box.width / box.height).toBeCloseTo(width < 640 ? 2.5 : 4, 1)
    expect(await image.evaluate(element => getComputedStyle(element).objectFit)).toBe('cover')
    expect(
      await page.evaluate(() => (globalThis as unknown as { seen: { shifts: number } }).seen.shifts),
    ).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})
