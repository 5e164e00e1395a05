import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SETTINGS_CHANGED } from '#site/contract.ts'
import { countStatuses, expectRefusal, soon, times } from '../../../test/support/expect.ts'
import { sellerDetails } from '../../../test/support/fixtures.ts'
import { aMug } from '../../../test/support/listings.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { sendWaiting } from '../../../test/support/shop-with-mail.ts'
import { DETAILS_FIRST, NOT_YET, UNUSABLE_INVITATION } from './contract.ts'

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

test('at first everybody with an account may sell', async () => {
  expect((await otto.get('/api/operate/settings')).body).toEqual({
    who_may_sell: 'open',
    seller_details_required: false,
    product_safety_required: false,
    version: expect.any(Number),
  })
  const ana = await shop.signUp('ana')
  expect((await ana.get('/api/selling/')).body).toEqual({
    who_may_sell: 'open',
    may_sell: true,
    suspended: false,
    details_missing: false,
    application: null,
  })
  expect((await sell(ana)).status).toBe(201)
  expectRefusal(await ana.post('/api/selling/application', words), 409, 'You may sell already')
})

test('who may sell is chosen from three, with a reason that the log keeps', async () => {
  expectRefusal(await set('nobody'), 400, 'Please choose who may sell')
  expect((await set('approval')).status).toBe(200)
  const [entry] = (await otto.get('/api/operate/log')).body.entries
  expect(entry).toMatchObject({ action: 'settings-changed', reason: 'The meeting decided' })
})

test('settings that another operator has changed meanwhile are not replaced unseen', async () => {
  const { body: seen } = await otto.get('/api/operate/settings')
  expect((await set('approval')).status).toBe(200)
  const put = (version: number, change: object = { product_safety_required: true }) =>
    otto.put(
      '/api/operate/settings',
      { ...seen, ...change, reason: 'The law asks' },
      { 'expected-version': String(version) },
    )
  expectRefusal(await put(seen.version), 409, SETTINGS_CHANGED)
  const { body: now } = await otto.get('/api/operate/settings')
  expect(now).toEqual({ ...seen, who_may_sell: 'approval', version: now.version })
  expect((await put(now.version)).status).toBe(200)
  expectRefusal(await put(now.version, {}), 409, SETTINGS_CHANGED)
  expect((await put(now.version + 1, {})).status).toBe(200)
})

test('those with listings go on selling where others have to apply', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana)
  await ana.delete(`/api/products/${id}`)
  const ben = await shop.signUp('ben')
  await set('approval')
  expect((await sell(ana)).status).toBe(201)
  expectRefusal(await sell(ben), 403, NOT_YET)
  expect((await ben.get('/api/selling/')).body).toMatchObject({ may_sell: false, who_may_sell: 'approval' })
})

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

test('an invitation lets as many people sell as it says, also when they come at once', async () => {
  await set('invitation')
  const people = await Promise.all(['ana', 'ben', 'cleo', 'dora'].map(name => shop.signUp(name)))
  const [first] = people
  expectRefusal(
    await (first as Person).post('/api/selling/application', words),
    409,
    'You need an invitation to sell here',
  )
  const { id, code } = await invite({ uses: 2 })
  const answers = await Promise.all(people.map(person => accept(person, code)))
  expect(countStatuses(answers)).toEqual({ 200: 2, 410: 2 })
  const allowed = people.filter((_, index) => answers[index]?.status === 200)
  for (const person of people) expect((await sell(person)).status).toBe(allowed.includes(person) ? 201 : 403)
  // Again is no error, and uses nothing.
  expect((await accept(allowed[0] as Person, code)).status).toBe(200)
  const [listed] = (await otto.get('/api/operate/invitations')).body.invitations
  expect(listed).toMatchObject({ id, note: 'The spring fair', uses: 2, uses_left: 0, revoked: false })
  expect(JSON.stringify(listed)).not.toContain(code)
})

test('an invitation that is taken back, too old or unknown lets nobody sell', async () => {
  await set('invitation')
  const ana = await shop.signUp('ana')
  const { id, code } = await invite()
  const revoke = () => otto.post(`/api/operate/invitations/${id}/revoke`, { reason: 'It was on the wall' })
  expect((await revoke()).status).toBe(200)
  expectRefusal(await revoke(), 409, 'This invitation is taken back already')
  expectRefusal(await accept(ana, code), 410, UNUSABLE_INVITATION)
  const old = await invite()
  await shop.rows(`update invitations set expires_at = now() - interval '1 second' where id = ${old.id}`)
  expectRefusal(await accept(ana, old.code), 410, UNUSABLE_INVITATION)
  expectRefusal(await accept(ana, 'a'.repeat(22)), 410, UNUSABLE_INVITATION)
  expectRefusal(await accept(ana, 'short'), 400, UNUSABLE_INVITATION)
  expectRefusal(await sell(ana), 403, NOT_YET)
})

test('where it is required, makers say first who sells; everybody reads it', async () => {
  await set('open', true)
  const ana = await shop.signUp('ana')
  expect((await ana.get('/api/selling/')).body.details_missing).toBe(true)
  expectRefusal(await sell(ana), 403, DETAILS_FIRST)
  const url = `/api/shops/${ana.user.username}/seller`
  expect((await shop.visitor().get(url)).body).toEqual({ details: null })
  const wrong = await ana.put('/api/selling/details', { ...sellerDetails, address: '', phone: '' })
  expectRefusal(wrong, 400, 'A business has to give its address', 'A business has to give its phone')
  expect((await ana.put('/api/selling/details', sellerDetails)).status).toBe(200)
  expect((await ana.get('/api/selling/details')).body).toEqual({ details: sellerDetails })
  expect((await shop.visitor().get(url)).body).toEqual({ details: sellerDetails })
  expect((await sell(ana)).status).toBe(201)
  // Somebody who is no business gives a name alone.
  const none = { address: '', email: '', phone: '', register: '', vat_id: '', responsible_person: '' }
  const person = { ...sellerDetails, ...none, is_trader: false }
  expect((await ana.put('/api/selling/details', person)).status).toBe(200)
  expect((await shop.visitor().get(url)).body).toEqual({ details: person })
})

test('whoever is suspended reads that, not that they may not sell', async () => {
  const ana = await shop.signUp('ana')
  await set('approval')
  await otto.post(`/api/operate/people/${ana.user.id}/suspend`, { reason: 'Copies', rule: '' })
  const refused = await sell(ana)
  expect([refused.status, refused.body.message]).toEqual([
    403,
    expect.stringMatching(/^Your shop is suspended/),
  ])
  expectRefusal(
    await shop.visitor().get(`/api/shops/${ana.user.username}/seller`),
    404,
    'There is no such maker',
  )
})

test('a listing that is being added while the setting changes is added, and its maker goes on', async () => {
  const people = await times(6, index => shop.signUp(`racer${index}`))
  const [added] = await Promise.all([Promise.all(people.map(sell)), set('approval')])
  for (const [index, person] of people.entries()) {
    const was = added[index]?.status
    expect((await sell(person)).status).toBe(was)
  }
})
