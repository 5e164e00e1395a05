import { expect, test } from 'vitest'
import { SETTINGS_CHANGED } from '#site/contract.ts'
import { countStatuses, expectRefusal, times } from '../../../test/support/expect.ts'
import { sellerDetails } from '../../../test/support/fixtures.ts'
import { accept, SellingRules, sell, words } from '../../../test/support/selling-rules.ts'
import type { Person } from '../../../test/support/shop.ts'
import { DETAILS_FIRST, NOT_YET, UNUSABLE_INVITATION } from './contract.ts'

const rules = new SellingRules()
const { set, invite } = rules

test('at first everybody with an account may sell', async () => {
  expect((await rules.otto.get('/api/operate/settings')).body).toEqual({
    who_may_sell: 'open',
    seller_details_required: false,
    product_safety_required: false,
    version: expect.any(Number),
  })
  const ana = await rules.shop.signUp('ana')
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
  const [entry] = (await rules.otto.get('/api/operate/log')).body.entries
  expect(entry).toMatchObject({ action: 'settings-changed', reason: 'The meeting decided' })
})

test('settings that another operator has changed meanwhile are not replaced unseen', async () => {
  const { body: seen } = await rules.otto.get('/api/operate/settings')
  expect((await set('approval')).status).toBe(200)
  const put = (version: number, change: object = { product_safety_required: true }) =>
    rules.otto.put(
      '/api/operate/settings',
      { ...seen, ...change, reason: 'The law asks' },
      { 'expected-version': String(version) },
    )
  expectRefusal(await put(seen.version), 409, SETTINGS_CHANGED)
  const { body: now } = await rules.otto.get('/api/operate/settings')
  expect(now).toEqual({ ...seen, who_may_sell: 'approval', version: now.version })
  expect((await put(now.version)).status).toBe(200)
  expectRefusal(await put(now.version, {}), 409, SETTINGS_CHANGED)
  expect((await put(now.version + 1, {})).status).toBe(200)
})

test('those with listings go on selling where others have to apply', async () => {
  const ana = await rules.shop.signUp('ana')
  const { id } = await rules.shop.list(ana)
  await ana.delete(`/api/products/${id}`)
  const ben = await rules.shop.signUp('ben')
  await set('approval')
  expect((await sell(ana)).status).toBe(201)
  expectRefusal(await sell(ben), 403, NOT_YET)
  expect((await ben.get('/api/selling/')).body).toMatchObject({ may_sell: false, who_may_sell: 'approval' })
})

test('an invitation lets as many people sell as it says, also when they come at once', async () => {
  await set('invitation')
  const people = await Promise.all(['ana', 'ben', 'cleo', 'dora'].map(name => rules.shop.signUp(name)))
  const [first] = people
  expectRefusal(
    await (first as Person).post('/api/selling/application', words),
    409,
    'You need an invitation to sell here',
  )
  const { id, code } = await invite({ uses: 2 })
  const responses = await Promise.all(people.map(person => accept(person, code)))
  expect(countStatuses(responses)).toEqual({ 200: 2, 410: 2 })
  const allowed = people.filter((_, index) => responses[index]?.status === 200)
  for (const person of people) expect((await sell(person)).status).toBe(allowed.includes(person) ? 201 : 403)
  // Again is no error, and uses nothing.
  expect((await accept(allowed[0] as Person, code)).status).toBe(200)
  const [listed] = (await rules.otto.get('/api/operate/invitations')).body.invitations
  expect(listed).toMatchObject({ id, note: 'The spring fair', uses: 2, uses_left: 0, revoked: false })
  expect(JSON.stringify(listed)).not.toContain(code)
})

test('an invitation that is taken back, too old or unknown lets nobody sell', async () => {
  await set('invitation')
  const ana = await rules.shop.signUp('ana')
  const { id, code } = await invite()
  const revoke = () =>
    rules.otto.post(`/api/operate/invitations/${id}/revoke`, { reason: 'It was on the wall' })
  expect((await revoke()).status).toBe(200)
  expectRefusal(await revoke(), 409, 'This invitation is taken back already')
  expectRefusal(await accept(ana, code), 410, UNUSABLE_INVITATION)
  const old = await invite()
  await rules.shop.rows(
    `update invitations set expires_at = now() - interval '1 second' where id = ${old.id}`,
  )
  expectRefusal(await accept(ana, old.code), 410, UNUSABLE_INVITATION)
  expectRefusal(await accept(ana, 'a'.repeat(22)), 410, UNUSABLE_INVITATION)
  expectRefusal(await accept(ana, 'short'), 400, UNUSABLE_INVITATION)
  expectRefusal(await sell(ana), 403, NOT_YET)
})

test('where it is required, makers say first who sells; everybody reads it', async () => {
  await set('open', true)
  const ana = await rules.shop.signUp('ana')
  expect((await ana.get('/api/selling/')).body.details_missing).toBe(true)
  expectRefusal(await sell(ana), 403, DETAILS_FIRST)
  const url = `/api/shops/${ana.user.username}/seller`
  expect((await rules.shop.visitor().get(url)).body).toEqual({ details: null })
  const wrong = await ana.put('/api/selling/details', { ...sellerDetails, address: '', phone: '' })
  expectRefusal(wrong, 400, 'A business has to give its address', 'A business has to give its phone')
  expect((await ana.put('/api/selling/details', sellerDetails)).status).toBe(200)
  expect((await ana.get('/api/selling/details')).body).toEqual({ details: sellerDetails })
  expect((await rules.shop.visitor().get(url)).body).toEqual({ details: sellerDetails })
  expect((await sell(ana)).status).toBe(201)
  // Somebody who is no business gives a name alone.
  const none = { address: '', email: '', phone: '', register: '', vat_id: '', responsible_person: '' }
  const person = { ...sellerDetails, ...none, is_trader: false }
  expect((await ana.put('/api/selling/details', person)).status).toBe(200)
  expect((await rules.shop.visitor().get(url)).body).toEqual({ details: person })
})

test('whoever is suspended reads that, not that they may not sell', async () => {
  const ana = await rules.shop.signUp('ana')
  await set('approval')
  await rules.otto.post(`/api/operate/people/${ana.user.id}/suspend`, { reason: 'Copies', rule: '' })
  const refused = await sell(ana)
  expect([refused.status, refused.body.message]).toEqual([
    403,
    expect.stringMatching(/^Your shop is suspended/),
  ])
  expectRefusal(
    await rules.shop.visitor().get(`/api/shops/${ana.user.username}/seller`),
    404,
    'There is no such maker',
  )
})

test('a listing that is being added while the setting changes is added, and its maker goes on', async () => {
  const people = await times(6, index => rules.shop.signUp(`racer${index}`))
  const [added] = await Promise.all([Promise.all(people.map(sell)), set('approval')])
  for (const [index, person] of people.entries()) {
    const was = added[index]?.status
    expect((await sell(person)).status).toBe(was)
  }
})
