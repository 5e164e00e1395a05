import { afterAll, beforeAll, expect, test } from 'vitest'
import { SETTINGS_CHANGED } from '#site/contract.ts'
import { barriers } from '../support/browser/axe.ts'
import { expectFits } from '../support/browser/looks.ts'
import { eventually, inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { sellerDetails } from '../support/fixtures.ts'
import { aMug } from '../support/listings.ts'
import { openOperator } from '../support/operators.ts'
import { PASSWORD } from '../support/person.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let otto: Person
beforeAll(async () => {
  shop = await openShop({ signups: true })
  otto = await openOperator(shop)
})
afterAll(() => shop.close())

const openDetails = (there: Visit, name: string) =>
  there.pressThis(there.page.locator(`summary[aria-label="${name}"]`))

/** An operator chooses who may sell, and whether makers say who they are. */
async function choose(there: Visit, name: string, { details = false } = {}): Promise<void> {
  await there.go('/operate/settings')
  await there.page.getByLabel(name, { exact: true }).check()
  await there.page.getByLabel('Makers say it before they add listings', { exact: true }).setChecked(details)
  await there.fill('Reason', 'The meeting decided')
  await there.press('button', 'Save')
  await there.sees('Saved')
}

inEachMode(mode => {
  test('settings that another operator has changed meanwhile are replaced with the second Save', async () => {
    const there = await visit(shop, mode, { signedInAs: otto, expects: [/status of 409/] })
    await there.go('/operate/settings')
    const olga = await openOperator(shop, 'olga')
    const settings = { who_may_sell: 'open', seller_details_required: false, reason: 'The meeting decided' }
    expect((await olga.put('/api/operate/settings', settings)).status).toBe(200)
    await there.page.getByLabel('Whoever applies, and is accepted', { exact: true }).check()
    await there.fill('Reason', 'My own meeting')
    await there.press('button', 'Save')
    await there.sees(SETTINGS_CHANGED)
    expect(await there.valueOf('Reason')).toBe('My own meeting')
    await eventually(() =>
      there.page.getByLabel('Whoever applies, and is accepted', { exact: true }).isChecked(),
    ).toBe(true)
    await there.press('button', 'Save')
    await there.sees('Saved')
    expect((await otto.get('/api/operate/settings')).body.who_may_sell).toBe('approval')
    await otto.put('/api/operate/settings', settings)
  })

  test('somebody applies, gets a no, applies again, and sells', async () => {
    const operator = await visit(shop, mode, { signedInAs: otto })
    await choose(operator, 'Whoever applies, and is accepted')
    const ben = await shop.signUp('ben')
    const there = await visit(shop, mode, { signedInAs: ben, expects: [/status of 400/] })
    await there.go('/products/new')
    await there.arrives('/sell')
    await there.press('button', 'Apply')
    await there.sees('Please say what you make')
    await there.fill('What do you make, and how?', 'Bowls of ash')
    await there.press('button', 'Apply')
    await there.sees('Your application has arrived. You get a letter when it is answered')
    await there.sees('It waits for an answer.')

    const answer = async (label: string, reason: string, done: string) => {
      await operator.go('/operate/makers')
      await openDetails(operator, `${label}: ${ben.name}`)
      const field = operator.page.locator('details[open]').getByLabel('Reason', { exact: true })
      await field.fill(reason)
      await operator.press('button', `${label}: ${ben.name}`)
      await operator.sees(done)
    }
    await answer('Refuse', 'We have three turners', 'Refused. They get your words')
    await there.go('/sell')
    await there.sees('We have three turners')
    await there.fill('Apply again: what do you make, and how?', 'Spoons now')
    await there.press('button', 'Apply')
    await there.sees('It waits for an answer.')
    await answer('Accept', 'Welcome', 'Accepted. They get your words')
    await there.go('/sell')
    await there.press('link', 'Add a listing')
    await there.arrives('/products/new')
    expect((await ben.post('/api/products/', aMug)).status).toBe(201)
  })

  test('a visitor with an invitation signs up, accepts it, says who sells, and sells', async () => {
    const operator = await visit(shop, mode, { signedInAs: otto })
    await choose(operator, 'Whoever has a link from an operator', { details: true })
    await operator.go('/operate/makers')
    await operator.fill('For whom', 'The spring fair')
    await operator.press('button', 'Make a link')
    await operator.sees('Here is the link. It is shown this once')
    const link = (await operator.page.locator('a[href^="/sell?invitation="]').getAttribute('href')) ?? ''

    const there = await visit(shop, mode, { expects: [/status of 400/] })
    await there.go(link)
    await there.sees('You are invited to sell what you make. For that you need an account.')
    await there.pressThis(there.page.getByRole('main').getByRole('link', { name: 'Log In' }))
    const cleo = await shop.signUp('cleo')
    await there.fill('Email', cleo.user.email)
    await there.fill('Password', PASSWORD)
    await there.pressThis(there.page.getByRole('main').getByRole('button', { name: 'Log In', exact: true }))
    await there.arrives(link)
    await there.press('button', 'Accept the invitation')
    await there.sees('You may sell here. Welcome')
    await there.press('link', 'Say who sells')
    await there.heading('Seller details')
    await there.page.getByLabel('Yes: I am a trader').check()
    await there.fill('Name of who sells', sellerDetails.name)
    await there.press('button', 'Save')
    await there.sees('A business has to give its address')
    expect(await there.valueOf('Name of who sells')).toBe(sellerDetails.name)
    await there.fill('Address', sellerDetails.address)
    await there.fill('Email for customers', sellerDetails.email)
    await there.fill('Phone', sellerDetails.phone)
    await there.press('button', 'Save')
    await there.sees('Saved')
    const { id } = (await cleo.post('/api/products/', aMug)).body
    await there.go(`/products/${id}`)
    await there.pressThis(there.page.locator('.who-sells summary'))
    await there.sees(sellerDetails.phone)
    await there.go(`/shops/${cleo.user.username}`)
    await there.pressThis(there.page.locator('.who-sells summary'))
    await there.sees(sellerDetails.phone)
  })
})

test('these pages are without barriers, in both schemes, and fit a small phone', async () => {
  const dora = await shop.signUp('dora')
  await otto.put('/api/operate/settings', {
    who_may_sell: 'approval',
    seller_details_required: true,
    reason: 'The meeting decided',
  })
  await dora.post('/api/selling/application', { words: 'x'.repeat(300) })
  await otto.post('/api/operate/invitations', { note: 'y'.repeat(100), uses: 3, days: 3 })
  for (const theme of ['light', 'dark'] as const) {
    for (const [person, paths] of [
      [otto, ['/operate/makers', '/operate/settings']],
      [dora, ['/sell', '/sell?invitation=x', '/settings/seller']],
      [undefined, ['/sell']],
    ] as const) {
      const there = await visit(shop, 'with scripts', { theme, ...(person ? { signedInAs: person } : {}) })
      for (const path of paths) {
        await there.go(path)
        for (const details of await there.page.locator('details.reason').all())
          await details.evaluate(element => element.setAttribute('open', ''))
        expect([path, await barriers(there.page)]).toEqual([path, []])
        await expectFits(there.page)
      }
    }
  }
})
