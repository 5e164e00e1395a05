import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'
import { sell } from '../support/sold.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
const stateOf = async (maker: Person, id: number) => (await maker.get(`/api/sales/${id}`)).body

test('what is typed in one form stays when another one is sent', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await sell(shop, { maker, shopper: await shop.signUp('shopper'), by: 'post' })
  const there = await visit(shop, 'with scripts', { signedInAs: maker })
  await there.go(`/sold/${id}`)
  await there.fill('Carrier', 'Deutsche Post')
  await there.fill('Amount in dollars', '1')
  await there.press('button', 'Record a payment')
  await there.sees('The payment is recorded')
  expect(await there.valueOf('Carrier')).toBe('Deutsche Post')
  await there.press('button', 'Mark as sent')
  await there.sees('Marked as sent. The shopper gets a letter soon')
  const { parcels } = await stateOf(maker, id)
  expect(parcels).toMatchObject([{ carrier: 'Deutsche Post' }])
})

test('what is typed for one parcel stays when the tracking number of another is saved', async () => {
  const maker = await shop.signUp('maker')
  const { id, pieces } = await sell(shop, { maker, shopper: await shop.signUp('shopper'), by: 'post' })
  for (let parcel = 0; parcel < 2; parcel++)
    expect(
      (await maker.post(`/api/sales/${id}/parcels`, { lines: [{ id: pieces[0], quantity: 1 }] })).status,
    ).toBe(201)
  const there = await visit(shop, 'with scripts', { signedInAs: maker })
  await there.go(`/sold/${id}`)
  const parcel = (at: number) => there.page.locator('.parcels > li').nth(at)
  const numberOf = (at: number) => parcel(at).getByLabel('Tracking number')
  for (const at of [0, 1]) {
    await parcel(at).getByText('Add a tracking number').click()
    await numberOf(at).fill(`RR00000000${at}`)
  }
  await parcel(0).getByRole('button', { name: 'Save' }).click()
  await parcel(0).getByText('Change the tracking number').waitFor()
  expect(await numberOf(1).inputValue()).toBe('RR000000001')
  await parcel(1).getByRole('button', { name: 'Save' }).click()
  await eventually(async () =>
    (await stateOf(maker, id)).parcels.map(({ tracking }: { tracking: string }) => tracking),
  ).toEqual(['RR000000000', 'RR000000001'])
})

test('a form of a session that has ended gives back what was typed', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await sell(shop, { maker, shopper: await shop.signUp('shopper') })
  for (const mode of ['with scripts', 'without scripts'] as const) {
    const there = await visit(shop, mode, { signedInAs: maker, expects: [/status of 401/] })
    await there.go(`/sold/${id}`)
    await there.text('Cancel pieces that you cannot make or send').click()
    await there.fill('Reason', 'All of them cracked in the kiln.')
    await there.page.context().clearCookies()
    await there.press('button', 'Cancel these pieces')
    await there.page.getByRole('alert').getByText('Please log in').waitFor()
    if (there.scripted) expect(await there.valueOf('Reason')).toBe('All of them cracked in the kiln.')
    else await there.sees('All of them cracked in the kiln.')
  }
})

test('after a refusal because nothing is open any more, the message has the focus of the button that is gone', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await sell(shop, {
    maker,
    shopper: await shop.signUp('shopper'),
    quantities: [1],
    by: 'post',
  })
  const there = await visit(shop, 'with scripts', { signedInAs: maker, expects: [/status of 409/] })
  await there.go(`/sold/${id}`)
  await maker.post(`/api/sales/${id}/cancel`, { reason: 'All of them cracked.' })
  await there.press('button', 'Mark as sent')
  await there.sees('Nothing of this order is open any more: it was sent or cancelled')
  await eventually(() => there.one('button', 'Mark as sent').count()).toBe(0)
  await eventually(() => there.page.evaluate(() => document.activeElement?.textContent)).toContain(
    'Nothing of this order is open any more',
  )
})

test.each(['with scripts', 'without scripts'] as const)(
  'orders that are refused together stay chosen: %s',
  async mode => {
    const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
    const there = await visit(shop, mode, { signedInAs: maker, expects: [/status of 40[19]/] })
    const orders: number[] = []
    for (const _ of [1, 2, 3]) orders.push((await sell(shop, { maker, shopper, by: 'post' })).id)
    const boxOf = (id = 0) => there.page.getByLabel(`Choose order #${id}`)
    const chosen = () => Promise.all(orders.map(id => boxOf(id).isChecked()))
    await there.go('/sold')
    for (const id of orders.slice(0, 2)) await boxOf(id).check()
    await there.press('button', 'Mark as ready')
    await there.sees(`Order #${orders[0]}: This order is sent, not collected`)
    expect(await chosen()).toEqual([true, true, false])
    if (mode === 'without scripts') return
    // Else what the page still loads would lead to the login.
    await there.page.waitForLoadState('networkidle')
    await there.page.context().clearCookies()
    await there.press('button', 'Mark as sent')
    await there.page.getByRole('alert').getByText('Please log in').waitFor()
    await there.page.locator('main').getByRole('link', { name: 'Log In', exact: true }).waitFor()
    expect(await chosen()).toEqual([true, true, false])
  },
)

test('to send no piece is an error of the first number', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await sell(shop, { maker, shopper: await shop.signUp('shopper'), by: 'post' })
  const there = await visit(shop, 'with scripts', { signedInAs: maker })
  await there.go(`/sold/${id}`)
  const numbers = there.page.getByRole('group', { name: 'How many to send' }).getByRole('spinbutton')
  for (const number of await numbers.all()) await number.fill('0')
  await there.press('button', 'Mark as sent')
  await there.sees('Choose at least one piece')
  await eventually(() => numbers.first().getAttribute('aria-invalid')).toBe('true')
  await eventually(() => numbers.first().evaluate(field => field === document.activeElement)).toBe(true)
})
