import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriers } from '../support/browser/axe.ts'
import { describeBowl } from '../support/browser/listing-form.ts'
import { expectFits } from '../support/browser/looks.ts'
import { inEachMode, visit } from '../support/browser/steps.ts'
import { sellerDetails } from '../support/fixtures.ts'
import { openOperator } from '../support/operators.ts'
import { pngOf } from '../support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let otto: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
})
afterAll(() => shop.close())

const set = (product_safety_required: boolean) =>
  otto.put('/api/operate/settings', {
    ...{ who_may_sell: 'open', seller_details_required: false, product_safety_required },
    reason: 'The meeting decided',
  })
const FOR_ALL = 'Warnings and safety information for all your pieces'
const NO_WARNINGS =
  'Please add warnings and safety information under “Product safety”, or say there that none are needed'

inEachMode(mode => {
  test('an operator requires it; a maker is told, says it for all pieces and for one, and everybody reads it', async () => {
    await set(false)
    const maker = await shop.signUp('maker')
    const old = await shop.list(maker, { name: 'Old jug' })
    const operator = await visit(shop, mode, { signedInAs: await openOperator(shop) })
    await operator.go('/operate/settings')
    await operator.tick('Listings say who made them, with warnings, before they are for sale')
    await operator.fill('Reason', 'The law asks for it')
    await operator.press('button', 'Save')
    await operator.sees('Saved')

    const there = await visit(shop, mode, { signedInAs: maker, expects: [/status of 400/] })
    await there.go('/your-listings')
    await there.page.getByText('1 listing does not say who made it').waitFor()
    await there.go('/products/new')
    await describeBowl(there, 'Bowl')
    await there.pick('Photos and video', { name: 'bowl.png', mimeType: 'image/png', buffer: pngOf(30, 20) })
    await there.press('button', 'Add a listing')
    await there.sees(NO_WARNINGS)
    expect(await there.valueOf('Name')).toBe('Bowl')

    await there.go('/settings/seller')
    await there.page.getByLabel('No: I sell now and then').check()
    await there.fill('Name of who sells', sellerDetails.name)
    await there.fill('Address', sellerDetails.address)
    await there.fill('Email for customers', sellerDetails.email)
    await there.tick('I make things outside of the European Union, and send them there')
    await there.fill(FOR_ALL, 'Hot <glass>.')
    await there.press('button', 'Save')
    await there.sees(
      'Please name somebody in the European Union who answers for the safety of what you make: name, address and email',
    )
    expect(await there.valueOf(FOR_ALL)).toBe('Hot <glass>.')
    await there.fill('Responsible person in the European Union', 'EU Agents, Graz')
    await there.press('button', 'Save')
    await there.sees('Saved')
    await there.go('/your-listings')
    expect(await there.page.getByRole('heading', { name: 'Product safety' }).count()).toBe(0)

    await there.go(`/products/${old.id}/edit`)
    await there.pressThis(there.page.locator('summary', { hasText: 'Product safety' }))
    await there.fill('Warnings and safety information', 'Sharp edges.')
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    const visitor = await visit(shop, mode)
    await visitor.go(`/products/${old.id}`)
    const part = visitor.page.getByRole('region', { name: 'Product safety' })
    await part.waitFor()
    const words = await part.textContent()
    for (const text of ['Sharp edges.', 'Lund Pottery', sellerDetails.email, 'EU Agents, Graz'])
      expect(words).toContain(text)
    expect(words).not.toContain('Hot')
  })
})

test('its parts are without barriers, in both themes, and fit a small phone', async () => {
  const maker = await shop.signUp('maker')
  await maker.put('/api/selling/details', sellerDetails)
  await set(false)
  const said = { safety: `Hot.\n${'x'.repeat(300)}`, manufacturer: 'Kiln Works\nkiln@works.example' }
  const { id } = await shop.list(maker, said)
  for (let n = 0; n < 7; n++) await shop.list(maker, { name: `Mug ${n}` })
  await set(true)
  for (const theme of ['light', 'dark'] as const) {
    const there = await visit(shop, 'with scripts', { signedInAs: maker, theme })
    for (const path of ['/your-listings', `/products/${id}`, `/products/${id}/edit`, '/settings/seller']) {
      await there.go(path)
      expect([path, theme, await barriers(there.page)]).toEqual([path, theme, []])
      await expectFits(there.page)
    }
  }
})
