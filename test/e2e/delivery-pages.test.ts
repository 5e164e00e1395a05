import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROFILE_CHANGED } from '#postage/contract.ts'
import { expectFits, expectOpen } from '../support/browser/looks.ts'
import { eventually, inEachMode, visit } from '../support/browser/steps.ts'
import { letterPost } from '../support/fixtures.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const profilesOf = async (person: Person) => (await person.get('/api/postage/')).body.profiles
const day = (from: number) => new Date(Date.now() + from * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)

inEachMode(mode => {
  test('a postage profile is written row by row, and nothing typed is lost', async () => {
    const ana = await shop.signUp('ana')
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 400/] })
    const inRow = (row: string) => {
      const group = there.page.getByRole('group', { name: row, exact: true })
      return async (label: string, text: string) => {
        const field = group.getByLabel(label, { exact: true })
        if (mode === 'by keyboard') await there.tabTo(field)
        if ((await field.evaluate(element => element.tagName)) === 'SELECT') await field.selectOption(text)
        else await field.fill(text)
      }
    }
    await there.go('/settings/postage')
    await there.press('link', '+ Add a postage profile')
    await there.fill('Name', 'Letter post')
    const first = inRow('Price 1')
    await first('Sent to', 'Everywhere else')
    await first('First piece, $', '12,50')
    await there.press('button', '+ Add a price')
    const second = inRow('Price 2')
    await second('Sent to', 'European Union')
    await there.press('button', '+ Add a pick-up place')
    const place = inRow('Pick-up place 1')
    await place('Place', 'Market hall')
    await there.press('button', 'Save')
    // The first price is incomplete: what is typed stays.
    await there.page.getByText('Price of each further piece is required').first().waitFor()
    expect(await profilesOf(ana)).toEqual([])
    expect(await there.valueOf('Name')).toBe('Letter post')
    await first('Each further, $', '2')
    await first('Days, least', '5')
    await first('Days, most', '9')
    await there.press('button', 'Remove price 2')
    await eventually(() => there.page.getByRole('group', { name: 'Price 2' }).count()).toBe(0)
    await there.press('button', 'Save')
    await there.arrives('/settings/postage')
    await there.sees('Saved')
    expect(await profilesOf(ana)).toMatchObject([
      {
        ...{ name: 'Letter post', is_default: true, from_country: null },
        rates: [{ destination: '*', first: 12.5, further: 2, days_min: 5, days_max: 9 }],
        pickup_places: [{ place: 'Market hall', hours: '' }],
      },
    ])
  })

  test('a profile that was changed or deleted in another tab loses nothing typed', async () => {
    const ana = await shop.signUp('ana')
    await ana.post('/api/postage/', letterPost)
    const { id } = (await ana.post('/api/postage/', { ...letterPost, name: 'Large' })).body
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 40[49]/] })
    await there.go(`/settings/postage?profile=${id}`)
    await ana.put(`/api/postage/${id}`, { ...letterPost, name: 'By coach' })
    await there.fill('Name', 'By hand')
    await there.press('button', 'Save')
    await there.sees(PROFILE_CHANGED)
    expect(await there.valueOf('Name')).toBe('By hand')
    await there.press('button', 'Save')
    await there.arrives('/settings/postage')
    expect((await profilesOf(ana)).map(({ name }: { name: string }) => name)).toContain('By hand')
    await there.go(`/settings/postage?profile=${id}`)
    await ana.delete(`/api/postage/${id}`)
    await there.fill('Name', 'By boat')
    await there.press('button', 'Save')
    await there.sees('This profile was deleted meanwhile')
    expect(await there.valueOf('Name')).toBe('By boat')
  })

  test('a visitor chooses a country, and the page says what postage costs there', async () => {
    const ana = await shop.signUp('ana')
    await ana.post('/api/postage/', letterPost)
    const { id } = await shop.list(ana)
    const there = await visit(shop, mode)
    await there.go(`/products/${id}`)
    await there.sees('Postage from $4.50 · choose your country')
    await there.choose('Your country', 'Albania')
    await there.press('button', 'Show postage')
    const text = 'Postage to Albania: $4.50, each further piece $1.00. Arrives in 3–9 days.'
    await there.sees(text)
    await there.go(`/products/${(await shop.list(ana)).id}`)
    await there.sees(text)
  })
})

test('a maker goes on holiday and ends it', async () => {
  const ana = await shop.signUp('ana')
  const name = 'Kettle & Kiln'
  await ana.put(`/api/shops/${ana.user.username}`, { words: '', place: '', name })
  const { id } = await shop.list(ana)
  const there = await visit(shop, 'without scripts', { signedInAs: ana, expects: [/status of 400/] })
  await there.go('/settings/holiday')
  await there.fill('First day', day(0))
  await there.fill('Last day', day(-2))
  await there.fill('Note', 'At the sea.')
  await there.press('button', 'Save')
  await there.describes('Last day', 'The last day cannot be before the first')
  expect(await there.valueOf('Note')).toBe('At the sea.')
  await there.fill('First day', day(-3))
  await there.press('button', 'Save')
  await there.describes('Last day', 'The last day cannot be in the past')
  await there.fill('First day', day(0))
  await there.fill('Last day', day(2))
  await there.press('button', 'Save')
  await there.sees('Saved')
  await there.page.locator('.away', { hasText: `${name} is away until` }).waitFor()
  await there.go(`/products/${id}`)
  await there.sees('At the sea.')
  expect(await there.one('button', 'Add to cart').count()).toBe(0)
  await there.go('/settings/holiday')
  await there.fill('Last day', day(-1))
  await there.press('button', 'Save')
  await there.describes('Last day', 'The last day cannot be before the first')
  await there.press('button', 'End the holiday now')
  await there.sees('Your holiday is over: your pieces can be ordered')
  await there.missing('The last day cannot be before the first')
  await there.go(`/products/${id}`)
  await there.one('button', 'Add to cart').waitFor()
})

test('postage, holiday and delivery fit every screen, and have no barriers', async () => {
  const ana = await shop.signUp('ana')
  const rates = ['*', 'EU', 'BA'].map(destination => ({
    ...letterPost.rates[0],
    destination,
    first: 1234.56,
  }))
  const { body } = await ana.post('/api/postage/', { ...letterPost, rates })
  await ana.post('/api/postage/', {
    ...letterPost,
    name: 'Large-parcels-of-an-uncommonly-long-name-without-a-gap',
  })
  const { id } = await shop.list(ana)
  await ana.put('/api/holiday/', { from: day(-1), until: day(2), note: 'At the sea.' })
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  for (const path of [
    '/settings/postage',
    `/settings/postage?profile=${body.id}`,
    '/settings/holiday',
    `/products/${id}`,
  ]) {
    await there.go(path)
    await there.page.locator('details').evaluateAll(all => {
      for (const details of all) if (!details.matches('.profile')) details.setAttribute('open', '')
    })
    await expectOpen(there.page)
    await expectFits(there.page)
  }
})
