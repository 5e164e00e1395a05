import { expect, test } from 'vitest'
import { requestJobRun } from '#platform/jobs/job-events.ts'
import { LETTERS } from '#platform/mail/outbox.ts'
import { soon } from '../../../test/support/expect.ts'
import { OrderMessages } from '../../../test/support/order-messages.ts'
import type { Person } from '../../../test/support/shop.ts'

const messages = new OrderMessages()
const { order, write, read, outboxOf, unreadAtBell } = messages
/** Lets five minutes pass for the letters that wait. */
async function passFiveMinutes(): Promise<void> {
  await messages.shop.db
    .updateTable('outbox')
    .set({ due_at: new Date() })
    .where('kind', '=', 'message')
    .execute()
  requestJobRun(LETTERS)
}
const lettersTo = ({ user }: Person) =>
  messages.mail.letters.filter(
    ({ recipients, subject }) => recipients.includes(user.email) && subject?.includes('wrote to you'),
  )

test('a letter comes after five minutes, once, and quotes nothing', async () => {
  const path = await order()
  await write(messages.mila, path, 'A secret')
  await write(messages.mila, path, 'Another one')
  const [waiting, ...others] = await outboxOf(messages.ana)
  expect(others).toEqual([])
  const minutes = ((waiting?.due_at?.getTime() ?? 0) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(4.5)
  expect(minutes).toBeLessThanOrEqual(5)
  // At the bell at once, as one notification.
  expect(await unreadAtBell(messages.ana)).toBe(1)
  expect((await messages.ana.get('/api/notifications/')).body.notifications).toMatchObject([
    {
      text: `${messages.mila.user.username} wrote to you about order ${path.split('/')[3]}`,
      path: `/orders/${path.split('/')[3]}#messages`,
    },
  ])
  await passFiveMinutes()
  await expect.poll(() => lettersTo(messages.ana).length, soon).toBe(1)
  const [letter] = lettersTo(messages.ana)
  expect(letter?.text).toContain(`/orders/${path.split('/')[3]}#messages`)
  expect(letter?.raw).not.toMatch(/secret|Another one/)
  // Nothing was read: no second letter.
  await write(messages.mila, path, 'Still there')
  expect(await outboxOf(messages.ana)).toHaveLength(1)
  await read(messages.ana, path)
  await write(messages.mila, path, 'After that')
  await passFiveMinutes()
  await expect.poll(() => lettersTo(messages.ana).length, soon).toBe(2)
  // After a week, also if nothing was read: the letter before may be forgotten.
  await write(messages.mila, path, 'Are you there?')
  expect(await outboxOf(messages.ana)).toHaveLength(1)
  await messages.shop.rows(`update order_messages set created_at = now() - interval '8 days'`)
  const { body } = await write(messages.mila, path, 'Your parcel came back')
  expect(await outboxOf(messages.ana)).toContainEqual(expect.objectContaining({ subject: body.id }))
})

test('what is read within five minutes needs no letter, and leaves the bell', async () => {
  const path = await order()
  await write(messages.ana, path, 'Hello')
  expect(await unreadAtBell(messages.mila)).toBe(2)
  await read(messages.mila, path)
  expect(await outboxOf(messages.mila)).toEqual([])
  expect(await unreadAtBell(messages.mila)).toBe(1)
  // What is written later is worth a letter again.
  const { body } = await write(messages.ana, path, 'Are you there?')
  expect(await outboxOf(messages.mila)).toMatchObject([{ subject: body.id }])
})

test('who buys from themselves gets no letters from themselves', async () => {
  messages.mila = await messages.shop.signUp('mila')
  const { id } = await messages.shop.list(messages.mila)
  await messages.mila.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const path = `/api/orders/${(await messages.mila.post('/api/orders/checkout')).body.id}/messages`
  expect((await write(messages.mila, path, 'A note to myself')).status).toBe(201)
  expect(await outboxOf(messages.mila)).toEqual([])
  expect((await messages.mila.get('/api/orders/all')).body.unread).toBe(0)
})

test('letters about messages can be switched off, and the bell stays', async () => {
  const path = await order()
  expect((await messages.ana.put('/api/letters/', { off: ['message'] })).status).toBe(200)
  await write(messages.mila, path, 'Hello')
  await write(messages.ana, path, 'Hello')
  await passFiveMinutes()
  await expect.poll(() => lettersTo(messages.mila).length, soon).toBe(1)
  await expect.poll(async () => (await outboxOf(messages.ana))[0]?.due_at, soon).toBeNull()
  expect(lettersTo(messages.ana)).toEqual([])
  expect(await unreadAtBell(messages.ana)).toBe(1)
})
