import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countStatuses, expectRefusal, soon, times } from '../../../test/support/expect.ts'
import { aMug } from '../../../test/support/listings.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { sendWaiting } from '../../../test/support/shop-with-mail.ts'
import { NOT_YET } from './contract.ts'

let shop: TestShop
let otto: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
})
beforeEach(() => set('open'))
afterAll(() => shop.close())

const set = (who_may_sell: string, seller_details_required = false) =>
  otto.put('/api/operate/settings', { who_may_sell, seller_details_required, reason: 'The meeting decided' })
const sell = (person: Person) => person.post('/api/products/', aMug)
const words = { words: 'I turn bowls from fallen ash.' }
const queue = async () => (await otto.get('/api/operate/applications')).body.applications
const invite = async (fields: { uses?: number; days?: number } = {}) => {
  const { body } = await otto.post('/api/operate/invitations', {
    note: 'The spring fair',
    uses: 1,
    days: 7,
    ...fields,
  })
  return { id: Number(body.id), code: String(body.path).split('=')[1] ?? '' }
}
const accept = (person: Person, code: string) => person.post('/api/selling/invitation', { code })

test('an application is answered once, with a reason, a letter and an entry in the log', async () => {
  await set('approval')
  const ben = await shop.signUp('ben')
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
  const answers = await times(3, () => otto.post(`/api/operate/applications/${id}/answer`, no))
  expect(countStatuses(answers)).toEqual({ 200: 1, 409: 2 })
  expectRefusal(await sell(ben), 403, NOT_YET)
  expect((await ben.get('/api/selling/')).body.application).toMatchObject(no)
  // They apply again, and get a yes.
  expect((await ben.post('/api/selling/application', { words: 'I turn spoons now.' })).status).toBe(201)
  const [again] = await queue()
  const yes = { accepted: true, reason: 'Welcome.' }
  expect((await otto.post(`/api/operate/applications/${again.id}/answer`, yes)).status).toBe(200)
  expect((await sell(ben)).status).toBe(201)
  expect(await queue()).toEqual([])
  const letters = await shop.rows(
    `select kind, subject from outbox where recipient = ${ben.user.id} and kind = 'application' order by subject`,
  )
  expect(letters).toEqual([
    { kind: 'application', subject: id },
    { kind: 'application', subject: again.id },
  ])
  const [entry] = (await otto.get('/api/operate/log')).body.entries
  expect(entry).toMatchObject({
    action: 'application-accepted',
    person: ben.user.username,
    reason: 'Welcome.',
  })
})

test('two applications at once are one', async () => {
  await set('approval')
  const ben = await shop.signUp('ben')
  const sent = await times(5, () => ben.post('/api/selling/application', words))
  expect(countStatuses(sent)).toEqual({ 201: 1, 409: 4 })
  expect(
    await shop.rows(`select 1 from outbox where kind = 'application-waits' and recipient = ${otto.user.id}`),
  ).toHaveLength(1)
})

test('a letter that an application waits speaks for the next one, if its own is answered by then', async () => {
  await set('approval')
  await shop.rows(`delete from outbox where kind = 'application-waits'`)
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  await ana.post('/api/selling/application', words)
  await shop.rows(`update outbox set due_at = now() + interval '1 hour' where kind = 'application-waits'`)
  for (const { id } of await queue())
    await otto.post(`/api/operate/applications/${id}/answer`, { accepted: true, reason: 'Welcome' })
  expect(await queue()).toEqual([])
  await ben.post('/api/selling/application', words)
  const letters = () => shop.rows(`select due_at from outbox where kind = 'application-waits'`)
  expect(await letters()).toHaveLength(1)
  await sendWaiting(shop)
  await expect.poll(letters, soon).toEqual([{ due_at: null }])
})

test('whoever may sell by an invitation has no application that waits, and nobody is refused who sells', async () => {
  await set('approval')
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const earlier = (await queue()).length
  for (const person of [ana, ben]) await person.post('/api/selling/application', words)
  const { code } = await invite()
  expect((await accept(ana, code)).status).toBe(200)
  const waiting = (await queue()).slice(earlier)
  expect(waiting).toMatchObject([{ username: ben.user.username }])
  await set('open')
  const no = { accepted: false, reason: 'The hall is full' }
  expectRefusal(
    await otto.post(`/api/operate/applications/${waiting[0].id}/answer`, no),
    409,
    'They may sell already, so there is nothing to refuse',
  )
  const yes = { accepted: true, reason: 'Welcome' }
  expect((await otto.post(`/api/operate/applications/${waiting[0].id}/answer`, yes)).status).toBe(200)
})

test('operators do not answer their own application', async () => {
  await set('approval')
  const olga = await openOperator(shop, 'olga')
  expect((await olga.post('/api/selling/application', words)).status).toBe(201)
  const { id } = (await queue()).at(-1)
  const yes = { accepted: true, reason: 'Me' }
  expectRefusal(
    await olga.post(`/api/operate/applications/${id}/answer`, yes),
    409,
    'This is about you or what is yours: another operator decides it',
  )
  expect((await otto.post(`/api/operate/applications/${id}/answer`, yes)).status).toBe(200)
})
