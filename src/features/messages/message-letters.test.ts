import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestJobRun } from '#platform/jobs/job-events.ts'
import { LETTERS } from '#platform/mail/outbox.ts'
import { soon } from '../../../test/support/expect.ts'
import type { MailServer } from '../../../test/support/mail-server.ts'
import type { Person, TestShop } from '../../../test/support/shop.ts'
import { openShopWithMail } from '../../../test/support/shop-with-mail.ts'

let mail: MailServer
let shop: TestShop
let mila: Person
let ana: Person
beforeAll(async () => {
  ;({ mail, shop } = await openShopWithMail())
})
afterAll(() => shop.close())

/** Ana orders from Mila; both are new. @returns path of the messages */
async function order(): Promise<string> {
  ;[mila, ana] = [await shop.signUp('mila'), await shop.signUp('ana')]
  const { id } = await shop.list(mila)
  await ana.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const { status, body } = await ana.post('/api/orders/checkout')
  expect(status).toBe(201)
  return `/api/orders/${body.id}/messages`
}
const write = (person: Person, path: string, text: string, key?: string) =>
  person.post(path, { text }, key === undefined ? {} : { 'idempotency-key': key })
const read = async (person: Person, path: string) => {
  const { body } = await person.get(path)
  expect((await person.post(`${path}/read`, { up_to: body.newest_unread })).status).toBe(200)
}
const outboxOf = ({ user }: Person) =>
  shop.db
    .selectFrom('outbox')
    .select(['subject', 'due_at', 'sent_at'])
    .where('recipient', '=', user.id)
    .where('kind', '=', 'message')
    .orderBy('created_at')
    .execute()
const unreadAtBell = async (person: Person) => (await person.get('/api/auth/session')).body.unread
/** Lets five minutes pass for the letters that wait. */
async function passFiveMinutes(): Promise<void> {
  await shop.db.updateTable('outbox').set({ due_at: new Date() }).where('kind', '=', 'message').execute()
  requestJobRun(LETTERS)
}
const lettersTo = ({ user }: Person) =>
  mail.letters.filter(
    ({ recipients, subject }) => recipients.includes(user.email) && subject?.includes('wrote to you'),
  )

test('a letter comes after five minutes, once, and quotes nothing', async () => {
  const path = await order()
  await write(mila, path, 'A secret')
  await write(mila, path, 'Another one')
  const [waiting, ...others] = await outboxOf(ana)
  expect(others).toEqual([])
  const minutes = ((waiting?.due_at?.getTime() ?? 0) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(4.5)
  expect(minutes).toBeLessThanOrEqual(5)
  // At the bell at once, as one notification.
  expect(await unreadAtBell(ana)).toBe(1)
  expect((await ana.get('/api/notifications/')).body.notifications).toMatchObject([
    {
      text: `${mila.user.username} wrote to you about order ${path.split('/')[3]}`,
      path: `/orders/${path.split('/')[3]}#messages`,
    },
  ])
  await passFiveMinutes()
  await expect.poll(() => lettersTo(ana).length, soon).toBe(1)
  const [letter] = lettersTo(ana)
  expect(letter?.text).toContain(`/orders/${path.split('/')[3]}#messages`)
  expect(letter?.raw).not.toMatch(/secret|Another one/)
  // Nothing was read: no second letter.
  await write(mila, path, 'Still there')
  expect(await outboxOf(ana)).toHaveLength(1)
  await read(ana, path)
  await write(mila, path, 'After that')
  await passFiveMinutes()
  await expect.poll(() => lettersTo(ana).length, soon).toBe(2)
  // After a week, also if nothing was read: the letter before may be forgotten.
  await write(mila, path, 'Are you there?')
  expect(await outboxOf(ana)).toHaveLength(1)
  await shop.rows(`update order_messages set created_at = now() - interval '8 days'`)
  const { body } = await write(mila, path, 'Your parcel came back')
  expect(await outboxOf(ana)).toContainEqual(expect.objectContaining({ subject: body.id }))
})

test('what is read within five minutes needs no letter, and leaves the bell', async () => {
  const path = await order()
  await write(ana, path, 'Hello')
  expect(await unreadAtBell(mila)).toBe(2)
  await read(mila, path)
  expect(await outboxOf(mila)).toEqual([])
  expect(await unreadAtBell(mila)).toBe(1)
  // What is written later is worth a letter again.
  const { body } = await write(ana, path, 'Are you there?')
  expect(await outboxOf(mila)).toMatchObject([{ subject: body.id }])
})

test('who buys from themselves gets no letters from themselves', async () => {
  mila = await shop.signUp('mila')
  const { id } = await shop.list(mila)
  await mila.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const path = `/api/orders/${(await mila.post('/api/orders/checkout')).body.id}/messages`
  expect((await write(mila, path, 'A note to myself')).status).toBe(201)
  expect(await outboxOf(mila)).toEqual([])
  expect((await mila.get('/api/orders/all')).body.unread).toBe(0)
})

test('letters about messages can be switched off, and the bell stays', async () => {
  const path = await order()
  expect((await ana.put('/api/letters/', { off: ['message'] })).status).toBe(200)
  await write(mila, path, 'Hello')
  await write(ana, path, 'Hello')
  await passFiveMinutes()
  await expect.poll(() => lettersTo(mila).length, soon).toBe(1)
  await expect.poll(async () => (await outboxOf(ana))[0]?.due_at, soon).toBeNull()
  expect(lettersTo(ana)).toEqual([])
  expect(await unreadAtBell(ana)).toBe(1)
})
