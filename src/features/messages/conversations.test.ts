import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, asked, toMaker } from '../../../test/support/conversations.ts'
import { expectRefusal } from '../../../test/support/expect.ts'
import { aShopPage } from '../../../test/support/fixtures.ts'
import { countStatuses, times } from '../../../test/support/person.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ confirmed: true })
})
afterAll(() => shop.close())

const nameOf = ({ user }: Person) => encodeURIComponent(user.username)
const takes = (maker: Person, takes_messages: boolean) =>
  maker.put(`/api/shops/${nameOf(maker)}/page`, { ...aShopPage, takes_messages })
const listOf = async (person: Person) => (await person.get('/api/messages/')).body

test('somebody asks a maker, who answers; only these two read it', async () => {
  const { mila, ana, mug, id, path } = await asked(shop)
  expect((await mila.get(path)).body).toMatchObject({
    ...{ id, role: 'maker', can_write: true, stopped: null },
    other: { username: ana.user.username, name: ana.user.username },
    listing: { id: mug.id, name: mug.name },
    messages: [{ role: 'shopper', text: 'Is it blue?', unread: true }],
  })
  expect((await mila.post(path, { text: 'It is.' })).status).toBe(201)
  const { body } = await ana.get(path)
  expect(body).toMatchObject({
    role: 'shopper',
    other: { username: mila.user.username },
    messages: [
      { text: 'Is it blue?', unread: false },
      { text: 'It is.', unread: true },
    ],
  })
  expect(await listOf(ana)).toMatchObject({
    conversations: [{ id, role: 'shopper', unread: 1, newest: { role: 'maker', text: 'It is.' } }],
    unread: 1,
  })
  await ana.post(`${path}/read`, { up_to: body.newest_unread })
  expect(await listOf(ana)).toMatchObject({ conversations: [{ unread: 0 }], unread: 0 })
  const stranger = await shop.signUp('stranger')
  await shop.list(stranger)
  for (const response of [
    await stranger.get(path),
    await stranger.post(path, { text: 'Hello' }),
    await stranger.post(`${path}/read`, { up_to: 1 }),
    await stranger.put(`${path}/stop`),
    await stranger.delete(`${path}/stop`),
  ])
    expectRefusal(response, 404, 'There is no such conversation')
  expect((await shop.visitor().get(path)).status).toBe(401)
  expect((await shop.visitor().get('/api/messages/')).status).toBe(401)
  expect((await listOf(stranger)).conversations).toEqual([])
  for (const page of [`/products/${mug.id}`, `/shops/${nameOf(mila)}`])
    expect((await stranger.get(page, { accept: 'text/html' })).body).not.toContain('Is it blue?')
})

test('the list shows the beginning of a long message, up to a whole word', async () => {
  const { mila, ana, path } = await asked(shop)
  const shown = async (text: string) => {
    await ana.post(path, { text })
    return (await listOf(mila)).conversations[0].newest.text
  }
  expect(await shown('y'.repeat(140))).toBe('y'.repeat(140))
  expect(await shown('y'.repeat(141))).toBe(`${'y'.repeat(139)}…`)
  expect(await shown('word '.repeat(60))).toBe(`${'word '.repeat(26)}word…`)
})

test('two first messages at once make one conversation, in both directions too', async () => {
  const [mila, ana] = [await shop.signUp('mila'), await shop.signUp('ana')]
  await shop.list(mila)
  await shop.list(ana)
  const responses = await Promise.all([
    ...[1, 2, 3].map(n => ask(ana, mila, { text: `From Ana ${n}` })),
    ...[1, 2, 3].map(n => ask(mila, ana, { text: `From Mila ${n}` })),
  ])
  expect(countStatuses(responses)).toEqual({ 201: 6 })
  expect(new Set(responses.map(({ body }) => body.conversation)).size).toBe(1)
  expect((await listOf(mila)).conversations).toHaveLength(1)
})

test('the same key sends one first message, also at the same time, and refuses another text', async () => {
  const [mila, ana] = [await shop.signUp('mila'), await shop.signUp('ana')]
  await shop.list(mila)
  const responses = await times(5, () => ask(ana, mila, { text: 'Once' }, 'key-1'))
  expect(countStatuses(responses)).toEqual({ 201: 5 })
  expect(new Set(responses.map(({ body }) => body.message.id)).size).toBe(1)
  expectRefusal(
    await ask(ana, mila, { text: 'Twice' }, 'key-1'),
    422,
    'This was sent already, with other words. Nothing was sent again',
  )
})

test('a maker who takes no messages gets no new conversations, and running ones go on', async () => {
  const { mila, ana, path } = await asked(shop)
  expect((await takes(mila, false)).body.takes_messages).toBe(false)
  const ben = await shop.signUp('ben')
  expectRefusal(await ask(ben, mila, { text: 'Hello' }), 409, 'This maker takes no messages here')
  expect((await ben.get(toMaker(mila))).body).toMatchObject({ takes_messages: false, conversation: null })
  expect((await ana.post(path, { text: 'Still there?' })).status).toBe(201)
  expect((await ask(ana, mila, { text: 'And so?' })).status).toBe(201)
  // What does not say it leaves it as it is.
  await mila.put(`/api/shops/${nameOf(mila)}/page`, aShopPage)
  expect((await ben.get(`/api/shops/${nameOf(mila)}`)).body.takes_messages).toBe(false)
  await takes(mila, true)
  expect((await ask(ben, mila, { text: 'Hello' })).status).toBe(201)
})

test('nobody writes to themselves, to nobody, or to somebody who sells nothing', async () => {
  const [mila, ana] = [await shop.signUp('mila'), await shop.signUp('ana')]
  await shop.list(mila)
  expectRefusal(await ask(mila, mila, { text: 'Hello' }), 409, 'You cannot write to yourself')
  expectRefusal(
    await mila.post('/api/messages/to/nobody-here', { text: 'Hello' }),
    404,
    'There is no such maker',
  )
  expectRefusal(await ask(mila, ana, { text: 'Hello' }), 409, 'This maker takes no messages here')
  expectRefusal(await ask(ana, mila, { text: ' ' }), 400, 'Write something first')
  expect((await ask(shop.visitor() as Person, mila, { text: 'Hello' })).status).toBe(401)
  expect((await listOf(ana)).conversations).toEqual([])
})

test('who is suspended writes nothing, and is written to by nobody new', async () => {
  const { mila, ana, path } = await asked(shop)
  const suspend = ({ user }: Person, suspended_at: Date | null) =>
    shop.db.updateTable('users').set({ suspended_at }).where('id', '=', user.id).execute()
  await suspend(ana, new Date())
  expect((await ana.post(path, { text: 'Hello' })).status).toBe(403)
  expect((await ask(ana, mila, { text: 'Hello' })).status).toBe(403)
  await suspend(ana, null)
  await suspend(mila, new Date())
  const ben = await shop.signUp('ben')
  expectRefusal(await ask(ben, mila, { text: 'Hello' }), 404, 'There is no such maker')
  // The conversation stays, without a link to a shop that has no page.
  expect((await ana.get(path)).body.other).toMatchObject({ suspended: true })
  const page = (await ana.get(path.replace('/api', ''), { accept: 'text/html' })).body
  expect(page).toContain(mila.user.username)
  expect(page).not.toContain(`href="/shops/${mila.user.username}"`)
  await suspend(mila, null)
  const open = (await ana.get(path.replace('/api', ''), { accept: 'text/html' })).body
  expect(open).toContain(`href="/shops/${mila.user.username}"`)
})

test('either side stops the messages, and takes that back for itself alone', async () => {
  const { mila, ana, path } = await asked(shop)
  expect((await mila.put(`${path}/stop`)).status).toBe(200)
  const refusal = 'The other side has stopped these messages, so nothing was sent'
  expectRefusal(await ana.post(path, { text: 'Please' }), 409, refusal)
  expectRefusal(await ask(ana, mila, { text: 'Please' }), 409, refusal)
  expect((await ana.get(path)).body).toMatchObject({ stopped: 'other', can_write: false })
  expect((await mila.get(path)).body).toMatchObject({ stopped: 'you', can_write: false })
  expect((await mila.post(path, { text: 'Ha' })).status).toBe(409)
  // What Ana takes back is not Mila's.
  await ana.delete(`${path}/stop`)
  expect((await ana.post(path, { text: 'Please' })).status).toBe(409)
  await ana.put(`${path}/stop`)
  await mila.delete(`${path}/stop`)
  expect((await mila.get(path)).body).toMatchObject({ stopped: 'other' })
  await ana.delete(`${path}/stop`)
  expect((await ana.post(path, { text: 'Thank you' })).status).toBe(201)
})

test('the listing is named while it is listed, and one of somebody else never', async () => {
  const { mila, ana, mug, path } = await asked(shop)
  await mila.delete(`/api/products/${mug.id}`)
  expect((await ana.get(path)).body.listing).toBeNull()
  expect((await listOf(ana)).conversations[0].listing).toBeNull()
  const [ben, other] = [await shop.signUp('ben'), await shop.signUp('maker')]
  await shop.list(ben)
  const theirs = await shop.list(other)
  const { body } = await ask(ana, ben, { text: 'Hello', listing: theirs.id })
  expect((await ana.get(`/api/messages/${body.conversation}`)).body.listing).toBeNull()
})

test('own conversations come page by page, the newest message first', async () => {
  const ana = await shop.signUp('ana')
  const ids = []
  for (const name of ['one', 'two', 'three']) {
    const maker = await shop.signUp(name)
    await shop.list(maker)
    ids.unshift((await ask(ana, maker, { text: name })).body.conversation)
  }
  const first = (await ana.get('/api/messages/?limit=2')).body
  const second = (await ana.get(`/api/messages/?limit=2&cursor=${first.next_cursor}`)).body
  const shown = [...first.conversations, ...second.conversations].map(({ id }: { id: number }) => id)
  expect(shown).toEqual(ids)
  expect(second.next_cursor).toBeNull()
  expectRefusal(await ana.get('/api/messages/?cursor=x'), 400, 'Cursor is not one of ours')
})

test('first messages of one person are limited', async () => {
  const strict = await openShop({ settings: { LIMITS: 'on', LIMIT_CONVERSATIONS: '1' } })
  try {
    const [ana, one, two] = [
      await strict.signUp('ana'),
      await strict.signUp('one'),
      await strict.signUp('two'),
    ]
    await strict.list(one)
    await strict.list(two)
    expect((await ask(ana, one, { text: 'Hello' })).status).toBe(201)
    expect((await ask(ana, one, { text: 'Again' })).status).toBe(201)
    expect((await ask(ana, two, { text: 'Hello' })).status).toBe(429)
    expect((await ana.get('/api/messages/')).body.conversations).toHaveLength(1)
  } finally {
    await strict.close()
  }
})
