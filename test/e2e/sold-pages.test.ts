import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectFits, expectOpen } from '../support/browser/looks.ts'
import { eventually, inEachMode, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'
import { ADDRESS, sell } from '../support/sold.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Without scripts a refused form is a document with that status. */
const REFUSED = /status of 400/
const stateOf = async (maker: Person, id: number) => (await maker.get(`/api/sales/${id}`)).body

inEachMode(mode => {
  test('a maker finds an order, sends a part of it, takes that back and cancels the rest', async () => {
    const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
    const { id } = await sell(shop, { maker, shopper, quantities: [2], by: 'post' })
    await shop.rows(`update orders set note = 'Please wrap it.' where id = ${id}`)
    const there = await visit(shop, mode, { signedInAs: maker, expects: [REFUSED] })
    await there.go('/')
    await there.openMenu()
    await there.press('link', 'Sold')
    await there.arrives('/sold')
    await there.press('link', `Order #${id}`)
    await there.arrives(`/sold/${id}`)
    await there.sees(ADDRESS.line1)
    await there.sees('Please wrap it.')
    const quantity = there.page.getByRole('spinbutton', { name: 'Speckled mug' })
    await quantity.first().fill('1')
    await there.fill('Carrier', 'DHL')
    await there.fill('Tracking number', 'RR1')
    await there.press('button', 'Mark as sent')
    await there.sees('Marked as sent. The shopper gets a letter soon')
    await there.arrives(`/sold/${id}`)
    await eventually(async () => (await stateOf(maker, id)).state).toBe('part-sent')
    await there.page.getByRole('link', { name: 'Track it: DHL RR1' }).waitFor()
    await there.press('button', 'Undo parcel 1')
    await there.sees('Taken back')
    await there.missing('Undo parcel 1')
    expect((await stateOf(maker, id)).parcels).toEqual([])
    await there.pressThis(there.text('Cancel pieces that you cannot make or send'))
    // A reason is missing: the number that was typed stays.
    await quantity.last().fill('1')
    await there.press('button', 'Cancel these pieces')
    await there.sees('Reason is required: the shopper reads it')
    expect(await quantity.last().inputValue()).toBe('1')
    await there.fill('Reason', 'It cracked.')
    await there.press('button', 'Cancel these pieces')
    await there.sees('Cancelled, and back in your stock where still for sale. The shopper is told why')
    await there.page.getByText(/^Cancelled \$\d+\.\d\d, due \$\d+\.\d\d$/).waitFor()
    expect(await stateOf(maker, id)).toMatchObject({
      lines: [{ open: 1, cancelled: 1 }],
      cancellations: [{ reason: 'It cracked.' }],
    })
  })

  test('an order to be collected is sent instead, and both sides read that', async () => {
    const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
    const { id } = await sell(shop, { maker, shopper, quantities: [2] })
    const theirs = await visit(shop, mode, { signedInAs: shopper })
    await theirs.go(`/orders/${id}`)
    await theirs.heading('Collect it here')
    const there = await visit(shop, mode, { signedInAs: maker })
    await there.go(`/sold/${id}`)
    await there.pressThis(there.text('Send it instead'))
    await there.press('button', 'Mark as sent')
    await there.sees('Marked as sent. The shopper gets a letter soon')
    await there.sees('2 sent')
    await there.go('/sold')
    await there.missing('To collect:')
    await theirs.go(`/orders/${id}`)
    await theirs.sees('2 sent')
    await theirs.sees('The maker has sent it to you instead.')
    expect(
      await theirs.page
        .locator('article')
        .getByText(/collect/i)
        .allTextContents(),
    ).toEqual([])
  })

  test('a maker marks many orders, records a payment and prints a slip', async () => {
    const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
    const name = `Kettle & Kiln ${maker.town}`
    await maker.put(`/api/shops/${maker.user.username}`, { words: '', place: '', name })
    const ids: number[] = []
    for (let n = 0; n < 2; n++) ids.push((await sell(shop, { maker, shopper, by: 'post' })).id)
    const [first = 0, second = 0] = ids
    await shop.rows(`update orders set ready_by = now() - interval '3 days' where id = ${second}`)
    const there = await visit(shop, mode, { signedInAs: maker, expects: [REFUSED] })
    await there.go('/sold')
    await there.choose('Show', 'Late')
    await there.pressThis(there.page.getByRole('search').getByRole('button', { name: 'Show' }).last())
    await there.missing(`Order #${first}`)
    // Marked orders leave this list, and the form says it all the same.
    await there.go('/sold?state=open')
    for (const id of ids) {
      const box = there.page.getByRole('checkbox', { name: `Choose order #${id}` })
      if (mode !== 'by keyboard') await box.check()
      else {
        await there.tabTo(box)
        await there.page.keyboard.press('Space')
      }
    }
    await there.press('button', 'Mark as sent')
    await there.sees('Marked as sent. Their shoppers get letters soon')
    await there.sees('No order is like that')
    for (const id of ids) expect((await stateOf(maker, id)).state).toBe('sent')
    await there.go(`/sold/${first}`)
    await there.fill('Amount in dollars', '12.345')
    await there.press('button', 'Record a payment')
    await there.describes('Amount in dollars', 'Amount cannot have more than two decimals')
    await there.fill('Amount in dollars', '1,250')
    await there.press('button', 'Record a payment')
    await there.describes('Amount in dollars', 'Amount cannot have more than two decimals')
    await there.fill('Amount in dollars', '12,50')
    await there.press('button', 'Record a payment')
    await there.sees('The payment is recorded')
    expect((await stateOf(maker, first)).payment.paid).toBe(12.5)
    await there.press('link', 'Packing slip')
    await there.arrives(`/sold/${first}/slip`)
    await there.sees(name)
    await there.page.emulateMedia({ media: 'print' })
    await there.heading(`Packing slip of order #${first}`)
    expect(await there.page.getByText(ADDRESS.city).isVisible()).toBe(true)
    for (const around of ['.site-header', '.site-footer', '.slip-tools'])
      expect(await there.page.locator(around).isVisible()).toBe(false)
  })
})

test('a batch says how many are marked, and a slip has what is due', async () => {
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const sold = async (quantities: number[]) => sell(shop, { maker, shopper, by: 'post', quantities })
  const [kept, gone] = [await sold([3]), await sold([1])]
  const there = await visit(shop, 'without scripts', { signedInAs: maker, expects: [/status of 409/] })
  await there.go('/sold')
  for (const { id } of [kept, gone]) await there.tick(`Choose order #${id}`)
  await shopper.delete(`/api/orders/${gone.id}/delete-order`)
  await there.press('button', 'Mark as sent')
  await there.sees('1 order is marked as sent')

  const { id, pieces } = await sold([3, 1])
  const [one = 0, other = 0] = pieces
  const lines = (product: number, quantity: number) => [{ id: product, quantity }]
  await maker.post(`/api/sales/${id}/parcels`, { lines: lines(one, 1) })
  await maker.post(`/api/sales/${id}/cancel`, { lines: lines(other, 1), reason: 'It has a crack' })
  const { payment, total } = await stateOf(maker, id)
  const words = `Total $${total.toFixed(2)}, $${(total - payment.due).toFixed(2)} cancelled`
  await there.go('/sold')
  await there.sees(`${words}, $${payment.due.toFixed(2)} not paid`)
  await there.go(`/sold/${id}/slip?prices=yes`)
  expect(await there.page.locator('.slip tbody tr').count()).toBe(1)
  await there.page.getByText(`Total of the order $${payment.due.toFixed(2)}`).waitFor()
})

test('a payment is of the day where the maker is', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await sell(shop, { maker, shopper: await shop.signUp('shopper'), by: 'post' })
  const there = await visit(shop, 'with scripts', { signedInAs: maker })
  await there.page.clock.setFixedTime('2030-01-02T12:00:00Z')
  await there.go(`/sold/${id}`)
  await eventually(() => there.valueOf('Day')).toBe('2030-01-02')
})

test('the packing slip of a second parcel has what is still to come, and names what was sent before', async () => {
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const { id, pieces } = await sell(shop, { maker, shopper, quantities: [3], by: 'post' })
  const there = await visit(shop, 'without scripts', { signedInAs: maker })
  const packed = () => there.page.locator('.slip tbody td:last-child').allTextContents()
  await there.go(`/sold/${id}/slip`)
  expect(await packed()).toEqual(['3'])
  await maker.post(`/api/sales/${id}/parcels`, { lines: [{ id: pieces[0], quantity: 1 }] })
  await there.go(`/sold/${id}/slip`)
  expect(await packed()).toEqual(['2'])
  await there.heading('Sent before')
  expect(await there.page.locator('.slip li').allTextContents()).toEqual([expect.stringMatching(/^1 × /)])
  await maker.post(`/api/sales/${id}/parcels`, {})
  await there.go(`/sold/${id}/slip`)
  expect(await packed()).toEqual(['3'])
})

test('the pages of sales fit, and have no barriers', async () => {
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const { id, pieces } = await sell(shop, { maker, shopper, quantities: [2, 3], by: 'post' })
  await maker.post(`/api/sales/${id}/parcels`, {
    lines: [{ id: pieces[0], quantity: 1 }],
    carrier: 'DHL',
    tracking: 'RR1',
  })
  await maker.post(`/api/sales/${id}/cancel`, {
    lines: [{ id: pieces[0], quantity: 1 }],
    reason: 'It cracked.',
  })
  await maker.post(`/api/sales/${id}/payments`, { amount: 3, day: '2026-01-02', note: 'In cash' })
  const late = await sell(shop, { maker, shopper })
  await shop.rows(`update orders set ready_by = now() - interval '3 days' where id = ${late.id}`)
  const there = await visit(shop, 'with scripts', { signedInAs: maker })
  for (const path of [
    '/sold',
    `/sold/${id}`,
    `/sold/${late.id}`,
    `/sold/${id}/slip?prices=yes`,
    '/settings/payment',
  ]) {
    await there.go(path)
    await expectOpen(there.page)
    await expectFits(there.page)
  }
})
