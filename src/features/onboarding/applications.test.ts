import { expect, test } from 'vitest'
import { countStatuses, expectRefusal, soon, times } from '../../../test/support/expect.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { accept, SellingRules, sell, words } from '../../../test/support/selling-rules.ts'
import { sendWaiting } from '../../../test/support/shop-with-mail.ts'
import { NOT_YET } from './contract.ts'

const rules = new SellingRules()
const { set, invite } = rules
const queue = async () => (await rules.otto.get('/api/operate/applications')).body.applications

test('an application is answered once, with a reason, a letter and an entry in the log', async () => {
  await set('approval')
  const ben = await rules.shop.signUp('ben')
  const tooLong = 'Your application cannot be more than 2000 characters'
  expectRefusal(await ben.post('/api/selling/application', { words: 'x'.repeat(2_001) }), 400, tooLong)
  const sent = await ben.post('/api/selling/application', words)
  expect([sent.status, sent.body]).toMatchObject([201, { ...words, accepted: null, reason: '' }])
  expectRefusal(
    await ben.post('/api/selling/application', words),
    409,
    'Your application waits for an answer already',
  )
  const [{ id, ...open }] = await queue()
  expect(open).toMatchObject({ ...words, username: ben.user.username, email_confirmed: false })
  const no = { accepted: false, reason: 'We have three turners already.' }
  const answers = await times(3, () => rules.otto.post(`/api/operate/applications/${id}/answer`, no))
  expect(countStatuses(answers)).toEqual({ 200: 1, 409: 2 })
  expectRefusal(await sell(ben), 403, NOT_YET)
  expect((await ben.get('/api/selling/')).body.application).toMatchObject(no)
  // They apply again, and get a yes.
  expect((await ben.post('/api/selling/application', { words: 'I turn spoons now.' })).status).toBe(201)
  const [again] = await queue()
  const yes = { accepted: true, reason: 'Welcome.' }
  expect((await rules.otto.post(`/api/operate/applications/${again.id}/answer`, yes)).status).toBe(200)
  expect((await sell(ben)).status).toBe(201)
  expect(await queue()).toEqual([])
  const letters = await rules.shop.rows(
    `select kind, subject from outbox where recipient = ${ben.user.id} and kind = 'application' order by subject`,
  )
  expect(letters).toEqual([
    { kind: 'application', subject: id },
    { kind: 'application', subject: again.id },
  ])
  const [entry] = (await rules.otto.get('/api/operate/log')).body.entries
  expect(entry).toMatchObject({
    action: 'application-accepted',
    person: ben.user.username,
    reason: 'Welcome.',
  })
})

test('two applications at once are one', async () => {
  await set('approval')
  const ben = await rules.shop.signUp('ben')
  const sent = await times(5, () => ben.post('/api/selling/application', words))
  expect(countStatuses(sent)).toEqual({ 201: 1, 409: 4 })
  expect(
    await rules.shop.rows(
      `select 1 from outbox where kind = 'application-waits' and recipient = ${rules.otto.user.id}`,
    ),
  ).toHaveLength(1)
})

test('a letter that an application waits speaks for the next one, if its own is answered by then', async () => {
  await set('approval')
  await rules.shop.rows(`delete from outbox where kind = 'application-waits'`)
  const [ana, ben] = [await rules.shop.signUp('ana'), await rules.shop.signUp('ben')]
  await ana.post('/api/selling/application', words)
  await rules.shop.rows(
    `update outbox set due_at = now() + interval '1 hour' where kind = 'application-waits'`,
  )
  for (const { id } of await queue())
    await rules.otto.post(`/api/operate/applications/${id}/answer`, { accepted: true, reason: 'Welcome' })
  expect(await queue()).toEqual([])
  await ben.post('/api/selling/application', words)
  const letters = () => rules.shop.rows(`select due_at from outbox where kind = 'application-waits'`)
  expect(await letters()).toHaveLength(1)
  await sendWaiting(rules.shop)
  await expect.poll(letters, soon).toEqual([{ due_at: null }])
})

test('whoever may sell by an invitation has no application that waits, and nobody is refused who sells', async () => {
  await set('approval')
  const [ana, ben] = [await rules.shop.signUp('ana'), await rules.shop.signUp('ben')]
  const earlier = (await queue()).length
  for (const person of [ana, ben]) await person.post('/api/selling/application', words)
  const { code } = await invite()
  expect((await accept(ana, code)).status).toBe(200)
  const waiting = (await queue()).slice(earlier)
  expect(waiting).toMatchObject([{ username: ben.user.username }])
  await set('open')
  const no = { accepted: false, reason: 'The hall is full' }
  expectRefusal(
    await rules.otto.post(`/api/operate/applications/${waiting[0].id}/answer`, no),
    409,
    'They may sell already, so there is nothing to refuse',
  )
  const yes = { accepted: true, reason: 'Welcome' }
  expect((await rules.otto.post(`/api/operate/applications/${waiting[0].id}/answer`, yes)).status).toBe(200)
})

test('operators do not answer their own application', async () => {
  await set('approval')
  const olga = await openOperator(rules.shop, 'olga')
  expect((await olga.post('/api/selling/application', words)).status).toBe(201)
  const { id } = (await queue()).at(-1)
  const yes = { accepted: true, reason: 'Me' }
  expectRefusal(
    await olga.post(`/api/operate/applications/${id}/answer`, yes),
    409,
    'This is about you or what is yours: another operator decides it',
  )
  expect((await rules.otto.post(`/api/operate/applications/${id}/answer`, yes)).status).toBe(200)
})
