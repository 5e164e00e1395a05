import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriers } from '../support/browser/axe.ts'
import { cartOfThreeMakers, partsOf, radio, writeNote } from '../support/browser/cart-of-three-makers.ts'
import { eventually, inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { addAddress } from '../support/postage.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const ORDER = 'Yes (place order)'

/** Saves what is chosen, as far as scripts have not. */
async function save(there: Visit, name: string): Promise<void> {
  if (there.scripted) return
  await there.press('button', name)
  await there.sees('Saved')
}

inEachMode(mode => {
  test('pieces of three makers arrive in three ways, under one purchase', async () => {
    const { ana, mia, ben, labels } = await cartOfThreeMakers(shop)
    const there = await visit(shop, mode, { signedInAs: ben, expects: [/status of 409/] })
    await there.go('/cart')
    await there.sees('Total Price: $103.00')
    // Without an address nothing is ordered, and the cart says why.
    await there.press('button', 'Proceed to checkout')
    const why = there.page.locator('.refusal')
    await eventually(() => why.allTextContents()).toEqual([
      `Choose an address: ${mia.user.username} sends these pieces by post`,
    ])
    if (there.scripted) await eventually(() => why.evaluate(e => e === document.activeElement)).toBe(true)
    expect(await there.page.getByText('Review Your Order').count()).toBe(0)

    await there.choose('Send parcels to', labels.home)
    await save(there, 'Choose the address')
    await there.sees('Total Price: $112.00')
    await there.sees('Pieces: $103.00')
    await there.sees('Postage: $9.00')
    expect(await radio(there, /^By post, \$4\.50/).isChecked()).toBe(true)

    const market = radio(there, /^Saturday market, free/)
    if (mode === 'by keyboard') {
      await there.tabTo(radio(there, /^By post/))
      for (const _ of ['Studio', 'Saturday market']) await there.page.keyboard.press('ArrowDown')
    } else await market.check()
    await writeNote(there, ana, 'Is it\nfor a child?')
    // The button of a line sends what was typed elsewhere too.
    await there.choose('Quantity of Ash bowl', '2')
    if (!there.scripted) await there.page.getByRole('button', { name: 'Update' }).nth(1).click()
    await there.sees('Total Price: $144.00')
    await eventually(() => partsOf(ben)).toMatchObject([{ note: 'Is it\nfor a child?', postage: 0 }, {}, {}])
    expect(await market.isChecked()).toBe(true)
    expect(await there.valueOf(`Note to ${ana.user.username}`)).toBe('Is it\nfor a child?')

    await there.press('button', 'Proceed to checkout')
    await there.dialog('Review Your Order')
    const dialog = there.scripted ? there.page.getByRole('dialog') : there.page.locator('main')
    for (const text of ['Saturday market: Stall 12, 8 to 13', 'By post, $6.00: 2 to 5 days once sent'])
      await dialog.getByText(text, { exact: true }).waitFor()
    await dialog.getByText('Total Price: $144.00', { exact: true }).waitFor()
    expect(await dialog.locator('address').textContent()).toContain('Calle Mayor 1')
    if (there.scripted) expect(await barriers(there.page)).toEqual([])
    await there.press('button', ORDER)
    await there.arrives('/orders/view')
    await there.sees('Postage $6.00')
    await there.heading('Thank you. What happens next')
    const thanks = there.page.getByRole('region', { name: 'Thank you. What happens next' })
    expect(await thanks.locator('h3').allTextContents()).toHaveLength(3)
    await thanks.getByText('You collect it: Saturday market, Stall 12, 8 to 13.').waitFor()
    if (there.scripted) expect(await barriers(there.page)).toEqual([])
    // The next visit, a quarter of an hour later.
    await shop.rows(
      `update orders set created_at = now() - interval '16 minutes' where user_id = ${ben.user.id}`,
    )
    await there.go('/orders/view')
    await there.sees('Postage $6.00')
    expect(await thanks.count()).toBe(0)
    expect(await ordersOf(ben)).toEqual([
      { total_cents: 2000, pickup_place: 'Saturday market', note: 'Is it\nfor a child?', sent_to: null },
      { total_cents: 7600, pickup_place: null, note: '', sent_to: 'Calle Mayor 1' },
      { total_cents: 4800, pickup_place: 'Pick-up or by arrangement', note: '', sent_to: null },
    ])
  })
})

const ordersOf = (person: Person) =>
  shop.rows(`
    select o.total_cents::int, o.pickup_place, o.note, a.line1 as sent_to
    from orders as o left join order_addresses as a on a.order_id = o.id
    where o.user_id = ${person.user.id} order by o.id`)

test('an address in another tab is not taken for the one that was seen', async () => {
  const { ben, home, mia } = await cartOfThreeMakers(shop)
  await ben.put('/api/checkout/address', { address_id: home.id })
  const there = await visit(shop, 'with scripts', { signedInAs: ben, expects: [/status of 409/] })
  await there.go('/cart')
  await there.press('button', 'Proceed to checkout')
  await there.dialog('Review Your Order')
  const other = await addAddress(shop.db, ben, { line1: 'Calle Menor 2' })
  await ben.put('/api/checkout/address', { address_id: other.id })
  await there.press('button', ORDER)
  await there.sees('How your pieces reach you has changed. Nothing was ordered yet: please look at it again')
  await eventually(() => there.page.getByRole('dialog').locator('address').textContent()).toContain(
    'Calle Menor 2',
  )
  // The maker goes on holiday: the dialog ends, and the cart says why.
  await shop.rows(`
    update shops set away_from = current_date, away_until = current_date + 7 where user_id = ${mia.user.id}`)
  await there.press('button', ORDER)
  await there.page.locator('.refusal', { hasText: `${mia.user.username} is away until` }).waitFor()
  expect(await there.page.getByRole('dialog').count()).toBe(0)
  await there.go('/cart')
  expect(await there.page.getByText(`${mia.user.username} is away until`).count()).toBe(1)
  expect(await ordersOf(ben)).toEqual([])
})

test('the last of several quick choices is the one that stays', async () => {
  const { ben, home } = await cartOfThreeMakers(shop)
  await ben.put('/api/checkout/address', { address_id: home.id })
  const there = await visit(shop, 'with scripts', { signedInAs: ben })
  await there.go('/cart')
  // In turn, so that some are chosen just when the one before was saved: what is chosen stays chosen.
  const turns = Array.from({ length: 20 }, () => [/^Studio/, /^By post/]).flat()
  for (const name of [...turns, /^Saturday/]) await radio(there, name).check()
  await there.sees('Saved')
  await eventually(async () =>
    (await partsOf(ben))[0].pickup_places.map(({ id }: { id: number }) => id),
  ).toHaveLength(2)
  const chosen = async () => {
    const [{ pickup_id, pickup_places }] = await partsOf(ben)
    return pickup_places.find(({ id }: { id: number }) => id === pickup_id)?.place
  }
  await eventually(chosen).toBe('Saturday market')
  expect(await radio(there, /^Saturday/).isChecked()).toBe(true)
})

test.each([320, 1280])(
  'at %i px the cart fits, passes axe, and looks as before with one maker',
  async width => {
    const { ben, home } = await cartOfThreeMakers(shop)
    await ben.put('/api/checkout/address', { address_id: home.id })
    const there = await visit(shop, 'with scripts', { signedInAs: ben, width, theme: 'dark' })
    await there.go('/cart')
    expect(await barriers(there.page)).toEqual([])
    expect(await there.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    for (const name of ['Speckled mug', 'Ash bowl']) {
      await there.press('button', `Remove ${name}`)
      await there.missing(name)
    }
    await there.sees('Total Price: $48.00')
    await there.missing('Your address')
    expect(await there.page.getByRole('heading', { level: 2, name: /^From / }).count()).toBe(0)
    expect(await there.page.getByRole('radio').count()).toBe(0)
  },
)

test('several of one piece say what they cost together, and the total stays in sight', async () => {
  const { ben } = await cartOfThreeMakers(shop)
  for (const [width, height] of [
    [390, 700],
    [1280, 600],
  ] as const) {
    const there = await visit(shop, 'with scripts', { signedInAs: ben })
    await there.page.setViewportSize({ width, height })
    await there.go('/cart')
    await there.choose('Quantity of Speckled mug', '3')
    await there.sees('3 × $20.00 = $60.00')
    await there.sees('Total Price: $143.00')
    for (const edge of ['start', 'end'] as const) {
      await there.page
        .locator('.cart-line')
        .first()
        .evaluate((line, block) => line.scrollIntoView({ block }), edge)
      const button = await there.one('button', 'Proceed to checkout').boundingBox()
      expect(button?.y).toBeGreaterThan(0)
      expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(height)
    }
  }
})
