import { afterAll, beforeAll, expect, test } from 'vitest'
import { soon } from '../../../test/support/expect.ts'
import type { MailServer } from '../../../test/support/mail-server.ts'
import type { Person, TestShop } from '../../../test/support/shop.ts'
import { openShopWithMail } from '../../../test/support/shop-with-mail.ts'
import { orderLetters } from './letters.ts'

let mail: MailServer
let shop: TestShop
let ana: Person
let ben: Person
beforeAll(async () => {
  ;({ mail, shop } = await openShopWithMail())
  ;[ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
})
afterAll(() => shop.close())

/** Letters about an order, to everybody or to one person. Others may arrive at the same time. */
const lettersAbout = (order: number, person?: Person) =>
  mail.letters.filter(
    ({ subject, recipients }) =>
      new RegExp(`\\border ${order}\\b|\\borders .*\\b${order}\\b`, 'i').test(subject ?? '') &&
      (!person || recipients.includes(person.user.email)),
  )

test('a shopper gets one letter for a whole order', async () => {
  const carol = await shop.signUp('carol')
  for (const maker of [ana, carol]) {
    const { id } = await shop.list(maker, { name: `Mug of ${maker.user.first_name}`, price: 12.5 })
    await ben.post(`/api/cart_items/add/${id}`, { quantity: 2 })
  }
  const { body: order } = await ben.post('/api/orders/checkout')
  // Of the purchase to Ben, of her order to each maker.
  const [first, second] = order.orders.map((part: { id: number }) => part.id)
  await expect.poll(() => [first, second].map(id => lettersAbout(id).length), soon).toEqual([2, 2])
  const [letter, ...more] = lettersAbout(order.id, ben)
  expect(more).toEqual([])
  expect(letter).toMatchObject({
    subject: `Your orders ${first} and ${second}`,
    from: { text: '"Thrum" <post@shop.example>' },
    to: { value: [{ address: ben.user.email, name: `${ben.user.first_name} ${ben.user.last_name}` }] },
    messageId: expect.stringMatching(/^<[0-9a-f-]{36}@shop\.example>$/),
  })
  expect(letter?.headers.get('auto-submitted')).toBe('auto-generated')
  expect(letter?.text).toContain(`Hello ${ben.user.first_name},`)
  for (const words of ['2 × Mug of Ana', '$25.00', 'Total', '$50.00', 'http://shop.example/orders']) {
    expect(letter?.text).toContain(words)
    expect(letter?.html).toContain(words)
  }
  // Of several orders it leads to the list, not to one of them.
  expect(letter?.text).not.toContain('/orders/')
})

test('each maker of an order gets one letter, with their own lines', async () => {
  const carol = await shop.signUp('carol')
  for (const [maker, name] of [
    [ana, 'Mug'],
    [ana, 'Bowl'],
    [carol, 'Scarf'],
  ] as const) {
    const { id } = await shop.list(maker, { name })
    await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  }
  const { body: order } = await ben.post('/api/orders/checkout')
  const ids: number[] = order.orders.map((part: { id: number }) => part.id)
  const to = (person: Person) => ids.flatMap(id => lettersAbout(id, person))
  await expect.poll(() => ids.map(id => lettersAbout(id).length), soon).toEqual([2, 2])
  expect(to(ana)[0]?.text).toMatch(/1 × Mug.*\n.*1 × Bowl/)
  expect(to(ana)[0]?.text).not.toContain('Scarf')
  expect(to(ana)[0]?.subject).toMatch(/^You have sold Mug.* and 1 more: order \d+$/)
  expect(to(carol)[0]?.subject).toMatch(/^You have sold Scarf.*: order \d+$/)
  expect(to(carol)[0]?.text).toContain('1 × Scarf')
  // The shopper's address is private.
  expect([to(ana), to(carol)].flat().map(({ raw }) => raw.includes(ben.user.email))).toEqual([false, false])
})

test('shopper and makers are notified of a cancelled order, once', async () => {
  const { id } = await shop.list(ana)
  await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const { body: order } = await ben.post('/api/orders/checkout')
  await Promise.all([1, 2, 3].map(() => ben.delete(`/api/orders/${order.id}/delete-order`)))
  const to = (person: Person) => lettersAbout(order.id, person)
  await expect.poll(() => lettersAbout(order.id).length, soon).toBe(4)
  expect(to(ben).map(({ subject }) => subject)).toContain(`Your order ${order.id} is cancelled`)
  for (const { text } of to(ben)) expect(text).toContain(`http://shop.example/orders/${order.id}\n`)
  expect(to(ana).map(({ subject }) => subject)).toContain(`Order ${order.id} is cancelled: Speckled mug`)
})

test('an order that is not placed writes no letter', async () => {
  const before = await shop.rows('select id from outbox')
  const { id } = await shop.list(ana, { stock: 1 })
  await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  await shop.correctStock(id, -1)
  expect((await ben.post('/api/orders/checkout')).status).toBe(409)
  expect(await shop.rows('select id from outbox')).toEqual(before)
})

test('a letter about an order that is sent after it was cancelled says so', async () => {
  const carol = await shop.signUp('carol')
  const { id } = await shop.list(ana, { name: 'Vase' })
  await carol.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const { id: order } = (await carol.post('/api/orders/checkout')).body
  const letterTo = async ({ user }: Person, kind: string) =>
    JSON.stringify(await orderLetters[kind]!.write(shop.db, { subject: order, recipient: user.id }, 'Thrum'))
  expect(await letterTo(ana, 'sold')).toContain('Somebody has ordered from you.')
  await carol.delete(`/api/orders/${order}/delete-order`)
  expect(await letterTo(ana, 'sold')).toContain('there is nothing to send')
  expect(await letterTo(carol, 'order-received')).toContain('It is cancelled meanwhile')
})
