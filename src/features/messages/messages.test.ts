import { expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { OrderMessages } from '../../../test/support/order-messages.ts'
import { countStatuses, times } from '../../../test/support/person.ts'
import { openShop, type Person } from '../../../test/support/shop.ts'

const messages = new OrderMessages()
const { order, write, read, outboxOf, unreadAtBell } = messages
const textsOf = async (person: Person, path: string) =>
  (await person.get(path)).body.messages.map(({ text }: { text: string }) => text)

test('both sides read what the other one wrote, and only they', async () => {
  const path = await order()
  const first = await write(messages.ana, path, '  Could it be <b>blue</b>?\nAna ')
  expect(first.status).toBe(201)
  expect(first.body).toEqual({
    id: expect.any(Number),
    role: 'shopper',
    text: 'Could it be <b>blue</b>?\nAna',
    created_at: expect.any(String),
    unread: false,
  })
  await write(messages.mila, path, 'Of course.')
  const { body } = await messages.mila.get(path)
  expect(body).toMatchObject({ role: 'maker', next_cursor: null, can_write: true })
  expect(body.messages).toMatchObject([
    { id: first.body.id, role: 'shopper', unread: true },
    { role: 'maker', text: 'Of course.', unread: false },
  ])
  expect(body.newest_unread).toBe(first.body.id)
  const stranger = await messages.shop.signUp('stranger')
  const other = await messages.shop.signUp('maker')
  await messages.shop.list(other)
  for (const person of [stranger, other]) {
    expectRefusal(await person.get(path), 404, 'There is no such order')
    expectRefusal(await write(person, path, 'Hello'), 404, 'There is no such order')
    expectRefusal(await person.post(`${path}/read`, { up_to: 1 }), 404, 'There is no such order')
  }
  expect((await messages.shop.visitor().get(path)).status).toBe(401)
})

test('reading changes nothing; marking as read does, up to a message', async () => {
  const path = await order()
  const { body: first } = await write(messages.mila, path, 'One')
  await write(messages.mila, path, 'Two')
  const unread = async () => (await messages.ana.get('/api/orders/all')).body
  await messages.ana.get(path)
  expect(await unread()).toMatchObject({ unread: 2, orders: [{ unread: 2 }] })
  // What she wrote herself is not hers to mark.
  await messages.mila.post(`${path}/read`, { up_to: Number.MAX_SAFE_INTEGER })
  expect(await unread()).toMatchObject({ unread: 2 })
  await messages.ana.post(`${path}/read`, { up_to: first.id })
  expect(await unread()).toMatchObject({ unread: 1, orders: [{ unread: 1 }] })
  expect((await messages.ana.get(path)).body.messages).toMatchObject([{ unread: false }, { unread: true }])
})

test('a message that came after those that were read has a letter and a notification again', async () => {
  const path = await order()
  const { body: first } = await write(messages.mila, path, 'One')
  const { body: second } = await write(messages.mila, path, 'Two')
  expect(await outboxOf(messages.ana)).toMatchObject([{ subject: first.id }])
  await messages.ana.post(`${path}/read`, { up_to: first.id })
  expect(await outboxOf(messages.ana)).toMatchObject([{ subject: second.id }])
  expect(await unreadAtBell(messages.ana)).toBe(1)
  await write(messages.mila, path, 'Three')
  expect(await outboxOf(messages.ana)).toHaveLength(1)
  await read(messages.ana, path)
  expect(await outboxOf(messages.ana)).toEqual([])
})

test('a long conversation comes page by page, the newest messages first', async () => {
  const path = await order()
  for (const text of ['1', '2', '3', '4', '5']) await write(messages.ana, path, text)
  const newest = (await messages.ana.get(`${path}?limit=2`)).body
  expect(newest.messages).toMatchObject([{ text: '4' }, { text: '5' }])
  const middle = (await messages.ana.get(`${path}?limit=2&cursor=${newest.next_cursor}`)).body
  expect(middle.messages).toMatchObject([{ text: '2' }, { text: '3' }])
  const oldest = (await messages.ana.get(`${path}?limit=2&cursor=${middle.next_cursor}`)).body
  expect(oldest).toMatchObject({ messages: [{ text: '1' }], next_cursor: null })
  expectRefusal(await messages.ana.get(`${path}?cursor=x`), 400, 'Cursor is not one of ours')
})

test('an empty or too long message is refused, and nothing is sent', async () => {
  const path = await order()
  expectRefusal(await write(messages.ana, path, '  \n'), 400, 'Write something first')
  expectRefusal(
    await write(messages.ana, path, '🧶'.repeat(2001)),
    400,
    'A message cannot be more than 2000 characters',
  )
  expect(await textsOf(messages.ana, path)).toEqual([])
  expect((await write(messages.ana, path, '🧶'.repeat(2000))).status).toBe(201)
})

test('the same key sends one message, also at the same time, and refuses another text', async () => {
  const path = await order()
  const responses = await times(5, () => write(messages.ana, path, 'Once', 'key-1'))
  expect(countStatuses(responses)).toEqual({ 201: 5 })
  expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
  expectRefusal(
    await write(messages.ana, path, 'Twice', 'key-1'),
    422,
    'This was sent already, with other words. Nothing was sent again',
  )
  // The other side's keys are its own.
  expect((await write(messages.mila, path, 'Twice', 'key-1')).status).toBe(201)
  expect(await textsOf(messages.ana, path)).toEqual(['Once', 'Twice'])
})

test('nobody writes to a deleted account, and the other side still reads', async () => {
  const path = await order()
  await write(messages.mila, path, 'It is ready')
  await write(messages.ana, path, 'Thank you')
  await messages.shop.db
    .updateTable('users')
    .set({ erased_at: new Date() })
    .where('id', '=', messages.ana.user.id)
    .execute()
  expectRefusal(
    await write(messages.mila, path, 'Hello?'),
    409,
    'The other side of this order has no account any more, so nobody would read this',
  )
  expect((await messages.mila.get(path)).body).toMatchObject({
    can_write: false,
    messages: [{ text: 'It is ready' }, { text: 'Thank you' }],
  })
})

test('messages of one person are limited', async () => {
  const strict = await openShop({ settings: { LIMITS: 'on', LIMIT_MESSAGES: '2' } })
  try {
    const [maker, shopper] = [await strict.signUp('maker'), await strict.signUp('shopper')]
    const { id } = await strict.list(maker)
    await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    const path = `/api/orders/${(await shopper.post('/api/orders/checkout')).body.id}/messages`
    const responses = [
      await write(shopper, path, '1'),
      await write(shopper, path, '2'),
      await write(shopper, path, '3'),
    ]
    expect(countStatuses(responses)).toEqual({ 201: 2, 429: 1 })
    expect((await shopper.get(path)).body.messages).toHaveLength(2)
  } finally {
    await strict.close()
  }
})
