import { afterAll, beforeAll, expect, test } from 'vitest'
import { savedAlready } from '#addresses/contract.ts'
import { expectFits, expectOpen } from '../support/browser/looks.ts'
import { eventually, inEachMode, visit } from '../support/browser/steps.ts'
import { anAddress } from '../support/fixtures.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const saved = async (person: Person) => (await person.get('/api/addresses/')).body.addresses

inEachMode(mode => {
  test('an address is added, changed and deleted, and the fields follow the country', async () => {
    const ana = await shop.signUp('ana')
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 400/] })
    const choose = async (country: string) => {
      await there.choose('Country', country)
      if (!there.scripted) await there.press('button', 'Use this country')
    }
    await there.go('/settings/security')
    await there.press('link', 'Addresses')
    await there.arrives('/settings/addresses')
    await there.fill('Full name', 'Ana Lund')
    await choose('Australia')
    await there.fill('Street address', '12 Mill Lane')
    await there.fill('State', 'NSW')
    await there.fill('Postcode', '2000')
    await there.press('button', 'Save')
    await there.describes('Suburb', 'City is required')
    expect(await saved(ana)).toEqual([])
    await there.fill('Suburb', 'Springfield')
    await there.press('button', 'Save')
    await there.sees('Address saved')
    await there.sees('Springfield NSW 2000')
    const [first] = await saved(ana)
    expect(first).toMatchObject({ name: 'Ana Lund', country: 'AU', region: 'NSW' })
    // The form is empty again.
    expect(await there.valueOf('Full name')).toBe('')
    await there.press('link', 'Change the address Ana Lund, 12 Mill Lane')
    await there.arrives(`/settings/addresses/${first.id}`)
    await choose('Austria')
    // What Austria does not use stays until it is emptied.
    await eventually(() => there.valueOf('Region')).toBe('NSW')
    await there.fill('Region', '')
    await there.press('button', 'Save')
    await there.arrives('/settings/addresses')
    await there.sees('2000 Springfield')
    expect(await saved(ana)).toMatchObject([{ id: first.id, country: 'AT', region: '' }])
    await there.pressThis(there.page.locator('.addresses summary'))
    await there.press('button', 'Yes, delete it: Ana Lund, 12 Mill Lane')
    await there.sees('Address deleted')
    expect(await saved(ana)).toEqual([])
  })
})

test('another address after Back without scripts replaces none', async () => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'without scripts', { signedInAs: ana, expects: [/status of 422/] })
  await there.go('/settings/addresses')
  const send = async (street: string) => {
    for (const [name, text] of Object.entries({ name: anAddress.name, line1: street, city: 'Hilltop' }))
      await there.page.locator(`[name=${name}]`).fill(text)
    await there.page.locator('[name=country]').selectOption('DE')
    await there.press('button', 'Save')
  }
  const key = there.page.locator('[name=key]').first()
  const first = await key.inputValue()
  await send(anAddress.line1)
  await there.sees('Address saved')
  await there.page.goBack()
  // This browser loads the page again; others show it as it was left.
  await key.evaluate((input, value) => {
    ;(input as HTMLInputElement).value = value
  }, first)
  await send('1 Other Street')
  await there.sees(savedAlready(anAddress))
  expect(await saved(ana)).toMatchObject([{ line1: anAddress.line1 }])
  await there.press('button', 'Save')
  await there.sees('Address saved')
  expect(await saved(ana)).toMatchObject([{ line1: anAddress.line1 }, { line1: '1 Other Street' }])
})

test('Enter saves, and the page continues where somebody came from, in this shop alone', async () => {
  const ana = await shop.signUp('ana')
  await ana.post('/api/addresses/', anAddress)
  const there = await visit(shop, 'without scripts', { signedInAs: ana })
  await there.go(`/settings/addresses?next=${encodeURIComponent('/favourites')}`)
  for (const label of ['Full name', 'Street address', 'Town or city']) await there.fill(label, 'Ana')
  await there.choose('Country', 'Angola')
  await there.field('Full name').press('Enter')
  await there.arrives('/favourites')
  expect(await saved(ana)).toMatchObject([anAddress, { name: 'Ana', country: 'AO' }])
  await there.go(`/settings/addresses?next=${encodeURIComponent('//elsewhere.example/')}`)
  expect(await there.page.locator('[href*=elsewhere], [action*=elsewhere]').count()).toBe(0)
})

test('an unusual postal code gets a hint, while it is typed and afterwards, and is saved', async () => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  await there.go('/settings/addresses')
  const hint = 'Please check: usually like 10115'
  await there.choose('Country', 'Germany')
  await there.fill('Postal code', '1011')
  await there.field('Town or city').focus()
  await there.describes('Postal code', hint)
  await there.fill('Postal code', '10115')
  await there.field('Town or city').focus()
  await there.describes('Postal code', 'Usually like 10115')
  await there.fill('Postal code', '1011')
  for (const label of ['Full name', 'Street address', 'Town or city']) await there.fill(label, 'Ana')
  await there.press('button', 'Save')
  await there.sees('Address saved')
  expect(await saved(ana)).toMatchObject([{ postal_code: '1011' }])
  await there.sees('Please check the postal code: there they usually look like 10115')
})

test('a button below the fields stays where it is while it is pressed', async () => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'with scripts', { signedInAs: ana, width: 320 })
  await there.go('/settings/addresses')
  for (const label of ['Full name', 'Street address', 'Town or city']) await there.fill(label, 'Ana')
  await there.choose('Country', 'Germany')
  const button = there.one('button', 'Save')
  await there.fill('Postal code', '1011')
  await button.scrollIntoViewIfNeeded()
  const before = await button.boundingBox()
  await button.hover()
  await there.page.mouse.down()
  await there.describes('Postal code', 'Please check: usually like 10115')
  expect(await button.boundingBox()).toEqual(before)
  await there.page.mouse.up()
  await there.sees('Address saved')
})

test('the pages of addresses fit, and have no barriers', async () => {
  const ana = await shop.signUp('ana')
  const long = 'An-uncommonly-long-word-that-no-line-can-hold'
  await ana.post('/api/addresses/', { ...anAddress, line2: long, region: long, postal_code: '1' })
  const japanese = { name: '山田花子', line1: '千代田1-1', city: '千代田区', region: '東京都' }
  const { id } = (
    await ana.post('/api/addresses/', { ...anAddress, ...japanese, country: 'JP', postal_code: '100-0001' })
  ).body
  await ana.post('/api/addresses/', {
    ...anAddress,
    name: 'أحمد السيد',
    line1: 'شارع النيل 5',
    country: 'EG',
  })
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  for (const path of ['/settings/addresses?next=/cart', `/settings/addresses/${id}`]) {
    await there.go(path)
    await expectOpen(there.page)
    await expectFits(there.page)
  }
})
