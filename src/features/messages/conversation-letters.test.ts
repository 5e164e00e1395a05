import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestJobRun } from '#platform/jobs/job-events.ts'
import { LETTERS } from '#platform/mail/outbox.ts'
import { asked } from '../../../test/support/conversations.ts'
import { expectRefusal, soon } from '../../../test/support/expect.ts'
import type { MailServer } from '../../../test/support/mail-server.ts'
import type { Person, TestShop } from '../../../test/support/shop.ts'
import { openShopWithMail } from '../../../test/support/shop-with-mail.ts'

let mail: MailServer
let shop: TestShop
beforeAll(async () => {
  ;({ mail, shop } = await openShopWithMail())
})
afterAll(() => shop.close())

const outboxOf = ({ user }: Person) =>
  shop.db
    .selectFrom('outbox')
    .select(['subject', 'due_at'])
    .where('recipient', '=', user.id)
    .where('kind', '=', 'conversation')
    .execute()

test('a letter comes after five minutes, once while it is unread, and quotes nothing', async () => {
  const { mila, ana, id, path } = await asked(shop)
  await ana.post(path, { text: 'A secret' })
  expect(await outboxOf(mila)).toHaveLength(1)
  expect((await mila.get('/api/notifications/')).body.notifications).toMatchObject([
    { text: `${ana.user.username} wrote to you`, path: `/messages/${id}#messages` },
  ])
  await shop.db.updateTable('outbox').set({ due_at: new Date() }).where('kind', '=', 'conversation').execute()
  requestJobRun(LETTERS)
  const letters = () => mail.letters.filter(({ recipients }) => recipients.includes(mila.user.email))
  await expect
    .poll(() => letters().filter(({ subject }) => subject?.includes('wrote to you')).length, soon)
    .toBe(1)
  for (const { raw } of letters()) expect(raw).not.toMatch(/secret|blue/)
  // What is read needs no letter any more.
  await mila.post(path, { text: 'It is.' })
  expect(await outboxOf(ana)).toHaveLength(1)
  await ana.post(`${path}/read`, { up_to: Number.MAX_SAFE_INTEGER })
  expect(await outboxOf(ana)).toEqual([])
  expect((await mila.put('/api/letters/', { off: ['conversation'] })).status).toBe(200)
})

test('what a deleted account wrote is emptied, and a conversation goes with its second side', async () => {
  const { mila, ana, id, path } = await asked(shop)
  await mila.post(path, { text: 'It is.' })
  const leave = (person: Person) =>
    person.post('/api/account/deletion', { current_password: person.password, reviews: 'keep' })
  expect((await leave(ana)).status).toBe(200)
  expect((await mila.get(path)).body).toMatchObject({
    other: { username: null, name: 'Somebody who has left' },
    can_write: false,
    messages: [{ text: '' }, { text: 'It is.' }],
  })
  expectRefusal(
    await mila.post(path, { text: 'Hello?' }),
    409,
    'The other side has no account any more, so nobody would read this',
  )
  expect((await leave(mila)).status).toBe(200)
  expect(await shop.rows(`select id from conversations where id = ${id}`)).toEqual([])
})

test('a letter and a deletion at the same time end both', async () => {
  const { mila, ana, path } = await asked(shop)
  const responses = await Promise.all([
    ...[1, 2, 3, 4].map(n => ana.post(path, { text: `Message ${n}` })),
    mila.post('/api/account/deletion', { current_password: mila.password, reviews: 'keep' }),
  ])
  expect(responses.at(-1)?.status).toBe(200)
  for (const { status } of responses.slice(0, -1)) expect([201, 409]).toContain(status)
})
