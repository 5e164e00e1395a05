import { afterAll, beforeAll, expect, test } from 'vitest'
import { cancelUnits, lockOrder, record } from '#orders/events.ts'
import { transaction } from '#platform/database/database.ts'
import { expectFits, expectOpen } from '../support/browser/looks.ts'
import { eventually, inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let mila: Person
beforeAll(async () => {
  shop = await openShop()
  mila = await shop.signUp('mila')
  await shop.db
    .updateTable('shops')
    .set({ payment_words: 'By transfer, please: the number is on the paper in the parcel.' })
    .where('user_id', '=', mila.user.id)
    .execute()
})
afterAll(() => shop.close())

/** Somebody orders from Mila. */
async function order(person: Person, pieces: Record<string, number>) {
  const listed: Record<string, number> = {}
  for (const [name, quantity] of Object.entries(pieces)) {
    const { id } = await shop.list(mila, { name, stock: 9 })
    await person.post(`/api/cart_items/add/${id}`, { quantity })
    listed[name] = id
  }
  const { body } = await person.post('/api/orders/checkout')
  return { id: body.id as number, listed }
}
/** Mila hands some pieces over to a carrier. */
const send = (id: number, product_id: number, quantity: number) =>
  transaction(shop.db, async db => {
    await lockOrder(db, id)
    const how = { kind: 'sent', role: 'maker', carrier: 'Royal Mail', tracking: 'AB 1' } as const
    await record(db, id, how, [{ product_id, quantity }])
  })
const write = (person: Person, id: number, text: string) =>
  person.post(`/api/orders/${id}/messages`, { text })
const textsOf = async (id: number) =>
  (await mila.get(`/api/orders/${id}/messages`)).body.messages.map(({ text }: { text: string }) => text)
const newIn = (there: Visit) => there.page.getByRole('log').getByText('New', { exact: true })

inEachMode(mode => {
  test('an order is followed from placed to received, with a message both ways', async () => {
    const ana = await shop.signUp('ana')
    const { id, listed } = await order(ana, { 'Speckled mug': 2 })
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 400/] })
    await there.go('/orders/view')
    await there.press('link', `See order #${id}`)
    await there.arrives(`/orders/${id}`)
    await there.sees('Being prepared')
    await there.sees('By transfer, please: the number is on the paper in the parcel.')

    const label = `Write to ${mila.user.username}`
    await there.press('button', 'Send message')
    await there.describes(label, 'Write something first')
    await there.fill(label, 'Could I have them in blue?')
    await there.press('button', 'Send message')
    await there.sees('Could I have them in blue?')
    await eventually(() => there.valueOf(label)).toBe('')
    expect(await textsOf(id)).toEqual(['Could I have them in blue?'])

    await write(mila, id, 'They are blue already.')
    await send(id, listed['Speckled mug'] ?? 0, 2)
    await there.go('/orders')
    await there.sees('Sent')
    await there.press('link', '1 new message')
    await there.arrives(`/orders/${id}`)
    await there.sees('They are blue already.')
    await newIn(there).waitFor()
    if (!there.scripted) await there.press('button', 'Mark as read')
    await eventually(async () => (await ana.get('/api/orders/all')).body.unread).toBe(0)
    expect(await there.one('link', 'Track it: Royal Mail AB 1').getAttribute('href')).toContain('AB%201')

    await there.press('button', 'I have received it')
    await there.sees('Thank you. The maker can see that it has arrived')
    await there.sees('Received, done')
    expect(await there.one('button', `Cancel Order #${id}`).count()).toBe(0)
    await there.press('button', `Buy again, order #${id}`)
    await there.arrives('/cart')
    await there.sees('Speckled mug')
  })
})

test('what was typed stays where a message is refused', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await order(ana, { Bowl: 1 })
  const label = `Write to ${mila.user.username}`
  for (const mode of ['with scripts', 'without scripts'] as const) {
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of (400|401)/] })
    await there.go(`/orders/${id}`)
    await there.fill(label, 'x'.repeat(2001))
    await there.press('button', 'Send message')
    await there.describes(label, 'A message cannot be more than 2000 characters')
    expect(await there.valueOf(label)).toHaveLength(2001)
    // The session ends while she writes.
    await there.fill(label, 'All of this')
    await there.page.context().clearCookies()
    await there.press('button', 'Send message')
    await there.page.getByRole('alert').getByText('Please log in').waitFor()
    expect(await there.page.getByRole('textbox', { name: /^Write to/ }).inputValue()).toBe('All of this')
  }
})

test('buying again says what is missing', async () => {
  const ana = await shop.signUp('ana')
  const { id, listed } = await order(ana, { Vase: 1, Jug: 1 })
  await mila.delete(`/api/products/${listed.Vase}`)
  for (const mode of ['with scripts', 'without scripts'] as const) {
    const there = await visit(shop, mode, { signedInAs: ana })
    await there.go('/orders')
    await there.press('button', `Buy again, order #${id}`)
    await there.sees('Vase is no longer for sale')
    await there.sees('Your cart has 1 × Jug.')
  }
})

test('somebody without orders finds a way to go on', async () => {
  const there = await visit(shop, 'without scripts', { signedInAs: await shop.signUp('ben') })
  await there.go('/orders/view')
  await there.press('link', 'All your orders, also those sent or cancelled')
  await there.arrives('/orders')
  await there.sees('You have not ordered anything yet')
  await there.one('link', 'Look around').waitFor()
})

test('the pages of orders fit, and have no barriers', async () => {
  const ana = await shop.signUp('ana')
  const { id, listed } = await order(ana, {
    'Speckled mug': 4,
    'An uncommonly-long-word-that-no-line-can-hold-pot': 1,
  })
  await send(id, listed['Speckled mug'] ?? 0, 2)
  await transaction(shop.db, async db => {
    await lockOrder(db, id)
    const lines = [{ product_id: listed['Speckled mug'] ?? 0, quantity: 1 }]
    await cancelUnits(db, id, lines, { role: 'maker', reason: 'One broke in the kiln, I am sorry.' })
    await record(db, id, { kind: 'paid', role: 'maker', cents: 5000, happened_on: '2026-03-05' })
  })
  await write(ana, id, 'Will the rest come\nthis week?')
  await write(mila, id, 'On Friday.')
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  for (const path of ['/orders', `/orders/${id}`]) {
    await there.go(path)
    await expectOpen(there.page)
    await expectFits(there.page)
  }
})
