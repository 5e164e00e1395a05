import { expect, onTestFinished, test } from 'vitest'
import { requestJobRun } from '#platform/jobs/job-events.ts'
import { LETTERS } from '#platform/mail/outbox.ts'
import { listUnsent, outboxCounts, retryAll } from '#platform/mail/outbox-admin.ts'
import { expectRefusal, soon } from '../../../test/support/expect.ts'
import { OptionalLetters, UNWANTED } from '../../../test/support/optional-letters.ts'
import { openWithDemoLogin, type Person } from '../../../test/support/shop.ts'

const NONE = 'There are no such letters that could be switched off'

const letters = new OptionalLetters()
const { to, review, subjectsOf, arrives, linkTo, offOf, oneClick, rows } = letters
/** Ben orders a new listing of hers. */
async function order(maker: Person): Promise<void> {
  const { id } = await letters.shop.list(maker)
  await letters.ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  expect((await letters.ben.post('/api/orders/checkout')).status).toBe(201)
}

test('optional letters have a link to switch them off, in headers that DKIM signs and in their text', async () => {
  const ana = await letters.shop.signUp('ana')
  await review(ana, 'Mug')
  await arrives(ana, 'A review of Mug')
  const [{ raw, text, html } = { raw: '' }] = to(ana)
  const link = letters.url + (await linkTo(ana))
  // Each on one line.
  expect(raw).toContain(`\r\nList-Unsubscribe: <${link}>\r\n`)
  expect(raw).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n')
  const signed = /^DKIM-Signature:.*?\bh=([^;]+);/ms
    .exec(raw)?.[1]
    ?.replace(/\s/g, '')
    .toLowerCase()
    .split(':')
  for (const name of [
    'from',
    'to',
    'subject',
    'date',
    'message-id',
    'list-unsubscribe',
    'list-unsubscribe-post',
  ])
    expect(signed).toContain(name)
  expect(text).toContain(`Do not send me letters about reviews of your pieces:\n${link}`)
  expect(html).toContain(`href="${link}"`)
})

test('letters that are always sent have no such link', async () => {
  const ana = await letters.shop.signUp('ana')
  await order(ana)
  await arrives(ana, 'You have sold')
  expect(to(ana)[0]?.raw).not.toMatch(/List-Unsubscribe|letters\/off/i)
})

test('a switched-off letter is not sent and stays a notification; others still are', async () => {
  const ana = await letters.shop.signUp('ana')
  expect((await ana.put('/api/letters/', { off: ['review'] })).body).toEqual({ message: 'Saved' })
  await review(ana, 'Mug')
  await expect.poll(() => rows(ana), soon).toEqual([UNWANTED])
  await order(ana)
  await arrives(ana, 'You have sold')
  expect(subjectsOf(ana)).toHaveLength(1)
  const { notifications } = (await ana.get('/api/notifications/')).body
  expect(notifications.map(({ text }: { text: string }) => text)).toContain('A review of Mug')
  // It is neither pending nor failed, and is not sent again.
  await expect.poll(() => listUnsent(letters.shop.db, 100), soon).toEqual({ letters: [], all: 0 })
  expect(await outboxCounts(letters.shop.db)).toEqual({ waiting: 0, failed: 0 })
  expect(await retryAll(letters.shop.db)).toBe(0)
  expect(await rows(ana)).toEqual([UNWANTED])
  // Switched on, later ones come.
  await ana.put('/api/letters/', { off: [] })
  await review(ana, 'Bowl')
  await arrives(ana, 'A review of Bowl')
  expect(subjectsOf(ana)).not.toContain('A review of Mug')
})

test('a choice counts for a letter that waits', async () => {
  const ana = await letters.shop.signUp('ana')
  onTestFinished(() => {
    letters.mail.refuse = undefined
  })
  letters.mail.refuse = { at: 'DATA', status: 451, words: 'Come back later' }
  await review(ana, 'Mug')
  const tries = async () =>
    (await letters.shop.rows(`select tries, last_error from outbox where recipient = ${ana.user.id}`))[0]
  await expect.poll(tries, soon).toMatchObject({ tries: 1, last_error: expect.stringContaining('later') })
  await ana.put('/api/letters/', { off: ['review'] })
  letters.mail.refuse = undefined
  await letters.shop.rows(`update outbox set due_at = now() where recipient = ${ana.user.id}`)
  requestJobRun(LETTERS)
  await expect.poll(() => rows(ana), soon).toEqual([UNWANTED])
  expect(to(ana)).toEqual([])
})

test('people choose among the letters that can be switched off, each for themselves', async () => {
  const ana = await letters.shop.signUp('ana')
  expect((await ana.get('/api/letters/')).body).toEqual({
    letters: [
      { kind: 'review', about: 'reviews of your pieces', on: true },
      { kind: 'reply', about: 'answers to your reviews', on: true },
      { kind: 'message', about: 'messages about an order from its shopper or maker', on: true },
      {
        kind: 'conversation',
        about: 'messages without an order: questions to you as a maker, and answers of makers',
        on: true,
      },
    ],
  })
  await ana.put('/api/letters/', { off: ['review', 'reply', 'reply'] })
  expect(await offOf(ana)).toEqual(['review', 'reply'])
  await ana.put('/api/letters/', { off: ['reply'] })
  expect(await offOf(ana)).toEqual(['reply'])
  expect(await offOf(letters.ben)).toEqual([])
})

test('of two choices that are saved at once, one counts as a whole', async () => {
  const ana = await letters.shop.signUp('ana')
  for (let round = 0; round < 5; round++) {
    await ana.put('/api/letters/', { off: [] })
    await Promise.all([['review'], ['reply']].map(off => ana.put('/api/letters/', { off })))
    expect(await offOf(ana)).toHaveLength(1)
  }
})

test.each(['welcome', 'order-received', 'order-cancelled', 'sold', 'sale-cancelled', 'nothing', '__proto__'])(
  'letters of the kind %s cannot be switched off',
  async kind => {
    const ana = await letters.shop.signUp('ana')
    expectRefusal(await ana.put('/api/letters/', { off: ['review', kind] }), 400, NONE)
    expect(await offOf(ana)).toEqual([])
    expect((await oneClick(await linkTo(ana, kind))).status).toBeGreaterThanOrEqual(400)
    expect(await letters.shop.rows(`select * from letters_off where user_id = ${ana.user.id}`)).toEqual([])
  },
)

test('the letters of the demo account cannot be chosen', async () => {
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
  expect((await demo.get('/api/letters/')).status).toBe(200)
  expect((await demo.put('/api/letters/', { off: ['review'] })).status).toBe(403)
})
