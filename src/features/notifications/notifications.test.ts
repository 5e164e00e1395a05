import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openPool, transaction } from '#platform/database/database.ts'
import { queueLetters, sweepOutbox } from '#platform/mail/outbox.ts'
import { expectRefusal, soon } from '../../../test/support/expect.ts'
import { openShop, openWithDemoLogin, type Person, type TestShop } from '../../../test/support/shop.ts'
import { letterKinds } from '../../letters.ts'
import type { Notification, NotificationPage } from './contract.ts'
import { list } from './notifications.ts'

let shop: TestShop
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop({ confirmed: true })
})
beforeEach(async () => {
  ;[ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
})
afterAll(() => shop.close())

const pageOf = async (person: Person, query = ''): Promise<NotificationPage> => {
  const { status, body } = await person.get(`/api/notifications/${query}`)
  expect(status).toBe(200)
  return body
}
const listOf = async (person: Person): Promise<Notification[]> => (await pageOf(person)).notifications
const unreadOf = async (person: Person) => (await person.get('/api/auth/session')).body.unread
const see = (person: Person, newest: string | null) => person.post('/api/notifications/seen', { newest })

/** Ben orders a new listing of hers. @returns ids of order and listing */
async function order(maker = ana): Promise<{ order: number; listing: number }> {
  const { id: listing } = await shop.list(maker)
  await ben.post(`/api/cart_items/add/${listing}`, { quantity: 1 })
  const { status, body } = await ben.post('/api/orders/checkout')
  expect(status).toBe(201)
  return { order: body.id, listing }
}
/** Ben reviews a listing. @returns id of the review */
async function review(listing: number): Promise<number> {
  const words = { review: 'Good.', stars: 4 }
  return (await ben.post(`/api/reviews/${listing}/create-review`, words)).body.id
}

test('makers are notified of sales, cancelled sales and reviews, and shoppers of replies, in the words of the letters', async () => {
  const { order: id, listing } = await order()
  await ben.delete(`/api/orders/${id}/delete-order`)
  const reviewed = await review(listing)
  await ana.put(`/api/reviews/${reviewed}/reply`, { reply: 'Thank you.' })
  const shown = ({ text, path, unread }: Notification) => [text, path, unread]
  expect((await listOf(ana)).map(shown)).toEqual([
    ['A review of Speckled mug', `/products/${listing}`, true],
    [`Order ${id} is cancelled: Speckled mug`, `/sold/${id}`, true],
    [`You have sold Speckled mug: order ${id}`, `/sold/${id}`, true],
  ])
  expect((await listOf(ben)).map(shown)).toEqual([
    ['An answer to your review of Speckled mug', `/products/${listing}`, true],
  ])
  // Not of what they do themselves, and not of their own account.
  const own = await shop.list(ben)
  await ben.post(`/api/cart_items/add/${own.id}`, { quantity: 1 })
  expect((await ben.post('/api/orders/checkout')).status).toBe(201)
  expect(await listOf(ben)).toHaveLength(1)
  const newcomer = { ...ben.user, email: 'new@example.com', username: 'newcomer', password: 'secret-1' }
  const nora = shop.visitor()
  expect((await nora.post('/api/auth/signup', newcomer)).status).toBe(201)
  expect(await pageOf(nora)).toEqual({ notifications: [], next_cursor: null, newest_unread: null })
})

test('unread ones are counted until the page is opened, and each user sees their own', async () => {
  expect(await unreadOf(ana)).toBe(0)
  await order()
  await order()
  expect([await unreadOf(ana), await unreadOf(ben)]).toEqual([2, 0])
  expect(await listOf(ben)).toEqual([])
  // Reading the list changes nothing: browsers load pages ahead of time.
  const { newest_unread } = await pageOf(ana)
  await ana.get('/notifications', { 'sec-purpose': 'prefetch', accept: 'text/html' })
  expect(await unreadOf(ana)).toBe(2)
  // Somebody else's id marks nothing, for neither of them.
  expect((await see(ben, newest_unread)).status).toBe(200)
  expect(await unreadOf(ana)).toBe(2)
  // What comes in between is not marked.
  await order()
  expect((await see(ana, newest_unread)).body).toEqual({ message: 'Marked as read' })
  expect(await unreadOf(ana)).toBe(1)
  expect((await listOf(ana)).map(({ unread }) => unread)).toEqual([true, false, false])
  // An older one does not turn it back.
  const all = await pageOf(ana)
  await see(ana, all.newest_unread)
  await see(ana, newest_unread)
  expect([await unreadOf(ana), (await pageOf(ana)).newest_unread]).toEqual([0, null])
  expectRefusal(await see(ana, '7'), 400, 'Newest must be the id of a notification')
})

test('the page has the count at its bell, also when it is cached', async () => {
  const bell = async () => /aria-label="(Notifications, [^"]+)"/.exec((await ana.get('/')).body)?.[1]
  for (let n = 0; n < 3; n++) expect(await bell()).toBe('Notifications, 0 unread')
  await order()
  for (let n = 0; n < 3; n++) expect(await bell()).toBe('Notifications, 1 unread')
  await see(ana, (await pageOf(ana)).newest_unread)
  expect(await bell()).toBe('Notifications, 0 unread')
  expect((await shop.visitor().get('/')).body).not.toContain('Notifications')
})

test('the pages of the list have every notification once', async () => {
  for (let n = 0; n < 5; n++) await order()
  // Several of one moment.
  await sql`update outbox set created_at = now() where recipient = ${ana.user.id} and random() < 0.7`.execute(
    shop.db,
  )
  const all = (await listOf(ana)).map(({ id }) => id)
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: NotificationPage = await pageOf(ana, `?limit=2${cursor && `&cursor=${cursor}`}`)
    found.push(...page.notifications.map(({ id }) => id))
    cursor = page.next_cursor
  }
  expect(found).toEqual(all)
  expect(new Set(found).size).toBe(5)
  for (const cursor of ['abc', Buffer.from('1.2').toString('base64url')])
    expectRefusal(await ana.get(`/api/notifications/?cursor=${cursor}`), 400, 'Cursor is not one of ours')
})

test('what was deleted is not shown, and counts until the page is opened', async () => {
  const { listing } = await order()
  const id = await review(listing)
  // One that was not sent yet is not written any more.
  const sent = () => shop.rows(`select id from outbox where subject = ${id} and sent_at is not null`)
  await expect.poll(sent, soon).toHaveLength(1)
  expect((await ben.delete(`/api/reviews/${id}/delete-review`)).status).toBe(200)
  const { notifications, newest_unread } = await pageOf(ana)
  expect(notifications.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^You have sold Speckled mug/),
  ])
  expect(await unreadOf(ana)).toBe(2)
  await see(ana, newest_unread)
  expect(await unreadOf(ana)).toBe(0)
})

test('a notification of a transaction that began before the page was shown is unread', async () => {
  await transaction(shop.db, async db => {
    await sql`select now()`.execute(db)
    await order()
    await see(ana, (await pageOf(ana)).newest_unread)
    await queueLetters(db, [{ kind: 'of-later', subject: 1, recipient: ana.user.id, notify: true }])
  })
  expect(await unreadOf(ana)).toBe(1)
})

test('the count ends at a hundred', async () => {
  await sql`
    insert into outbox (kind, subject, recipient, due_at, notify)
    select 'sold', n, ${ana.user.id}, null, true from generate_series(1, 120) as n
  `.execute(shop.db)
  expect(await unreadOf(ana)).toBe(100)
  expect((await ana.get('/')).body).toContain('aria-label="Notifications, 99+ unread"')
})

test('notifications are stored for 90 days, other letters for 30', async () => {
  await order()
  const kinds = async () =>
    (
      await shop.rows(
        `select kind from outbox where recipient in (${ana.user.id}, ${ben.user.id}) order by kind`,
      )
    ).map(({ kind }) => kind)
  const age = async (days: number) => {
    await shop.rows(`update outbox set due_at = null, created_at = now() - interval '${days} days'`)
    await sweepOutbox(shop.db)
    return kinds()
  }
  expect(await age(29)).toEqual(['order-received', 'sold'])
  expect(await age(31)).toEqual(['sold'])
  expect(await age(89)).toEqual(['sold'])
  expect(await age(91)).toEqual([])
})

test('a page takes four statements, however many notifications it has', async () => {
  for (let n = 0; n < 4; n++) await review((await order()).listing)
  const { db, statements, close } = openPool(shop.connection, 1)
  onTestFinished(close)
  let sent = 0
  statements.on('statement', () => sent++)
  const read = async (limit: number) => {
    sent = 0
    return (await list(db, { kinds: letterKinds, shop: 'Thrum' }, ana.user.id, { limit })).notifications
      .length
  }
  // Opens the connection.
  await read(1)
  for (const limit of [2, 8]) expect([await read(limit), sent]).toEqual([limit, 4])
})

test('the demo account is everybody’s, and has none', async () => {
  const withDemo = await openWithDemoLogin()
  onTestFinished(() => withDemo.close())
  const demo = withDemo.visitor()
  await demo.post('/api/auth/signup', {
    email: 'demo@example.com',
    password: 'handmade',
    username: 'demo',
    first_name: 'Demo',
    last_name: 'Maker',
  })
  demo.user = (await demo.get('/api/auth/')).body
  const { id } = await withDemo.list(demo)
  const eva = await withDemo.signUp('eva')
  await eva.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  expect((await eva.post('/api/orders/checkout')).status).toBe(201)
  expect([await unreadOf(demo), await listOf(demo)]).toEqual([0, []])
})
