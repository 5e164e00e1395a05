import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertAudit } from '../../../test/support/audit.ts'
import { expectRefusal } from '../../../test/support/expect.ts'
import { aReport } from '../../../test/support/fixtures.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { openForm, send } from '../../../test/support/resilience/forms.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let otto: Person
let olga: Person
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
  olga = await openOperator(shop, 'olga')
  ana = await shop.signUp('ana')
  ben = await shop.signUp('ben')
})
afterAll(async () => {
  await assertAudit(shop.connection, () => shop.files)
  await shop.close()
})

const INSULT = 'You dropped it, you fool.'
const statement = { reason: 'An insult', rule: 'Be kind' }
const hide = (review: number, by = otto) => by.post(`/api/operate/reviews/${review}/reply/hide`, statement)
const show = (review: number) =>
  otto.post(`/api/operate/reviews/${review}/reply/show`, { reason: 'It was a mistake' })
const write = (review: number, reply: string, by = ana) => by.put(`/api/reviews/${review}/reply`, { reply })

/** A listing of Ana's with a review of Ben's and her reply. */
async function replied(reply = INSULT): Promise<{ listing: number; review: number }> {
  const { id } = await shop.list(ana, { name: 'Indigo bowl' })
  const review = (await ben.post(`/api/reviews/${id}/create-review`, { review: 'Cracked.', stars: 1 })).body
    .id
  await write(review, reply)
  return { listing: id, review }
}

const read = async (listing: number) =>
  (await shop.visitor().get(`/api/reviews/${listing}/reviews`)).body.map(
    ({ reply, replied_at }: { reply: string | null; replied_at: string | null }) => [
      reply,
      replied_at !== null,
    ],
  )
const notices = async (person: Person) => (await person.get('/api/notices/')).body.notices
const queue = async () => (await otto.get('/api/operate/reports')).body.reports

test('a hidden reply is gone from the calls, the page and letters, and comes back', async () => {
  const { listing, review } = await replied()
  const page = async () => (await fetch(`${shop.address}/products/${listing}`)).text()
  const told = async () => JSON.stringify((await ben.get('/api/notifications/')).body)
  expect(await page()).toContain('you fool')
  expect(await told()).toContain('An answer to your review')
  expect((await hide(review)).status).toBe(200)
  expect(await read(listing)).toEqual([[null, false]])
  expect((await ben.get(`/api/reviews/${listing}/own`)).body).toMatchObject([
    { reply: null, replied_at: null },
  ])
  expect(await page()).not.toContain('you fool')
  expect(await told()).not.toContain('An answer to your review')
  // The review stays, and counts.
  expect((await ben.get(`/api/products/${listing}`)).body).toMatchObject({ rating: 1, review_count: 1 })
  const { rows } = (await otto.get('/api/operate/reviews?hidden=true')).body
  expect(rows).toMatchObject([{ id: review, hidden: false, reply: { text: INSULT, hidden: true } }])
  expectRefusal(await hide(review), 409, 'This reply is hidden already')
  expect((await show(review)).status).toBe(200)
  expect(await read(listing)).toEqual([[INSULT, true]])
  expect(await page()).toContain('you fool')
  expectRefusal(await show(review), 409, 'This reply is not hidden')
  expect((await otto.get('/api/operate/log?limit=2')).body.entries).toMatchObject([
    { action: 'reply-shown', review_id: review, listing: { id: listing }, person: ana.user.username },
    { action: 'reply-hidden', review_id: review, ...statement },
  ])
  await ana.delete(`/api/reviews/${review}/reply`)
  expectRefusal(await hide(review), 404, 'There is no such reply')
})

test('its maker cannot change a hidden reply, but delete it and write another', async () => {
  const { listing, review } = await replied()
  await hide(review)
  expectRefusal(
    await write(review, 'Sorry.'),
    409,
    'Those who run the shop have hidden your reply. Notices in Settings says why, and how to object. You can delete it',
  )
  expectRefusal(await write(review, 'Sorry.', ben), 403, 'Only the maker of a piece may answer its reviews')
  expect((await ana.delete(`/api/reviews/${review}/reply`)).status).toBe(200)
  expect((await show(review)).status).toBe(404)
  expect((await write(review, 'Sorry.')).status).toBe(200)
  expect(await read(listing)).toEqual([['Sorry.', true]])
})

test('hidden against changed at the same moment: what is hidden is not shown', async () => {
  for (let round = 0; round < 5; round++) {
    const { listing, review } = await replied()
    const [hidden, changed] = await Promise.all([hide(review), write(review, 'Changed.')])
    expect(hidden.status).toBe(200)
    expect([200, 409]).toContain(changed.status)
    expect(await read(listing)).toEqual([[null, false]])
    const stored = await shop.rows(`select reply from reviews where id = ${review}`)
    expect(stored).toEqual([{ reply: changed.status === 200 ? 'Changed.' : INSULT }])
  }
})

test('its maker reads why, objects, and another operator shows it again', async () => {
  const { listing, review } = await replied()
  await hide(review)
  const [notice] = await notices(ana)
  expect(notice).toMatchObject({
    action: 'reply-hidden',
    listing: 'Indigo bowl',
    review: null,
    reply: INSULT,
    ...statement,
    taken_back_at: null,
  })
  // The author of the review is told nothing.
  expect(await notices(ben)).toEqual([])
  expect((await ben.post(`/api/notices/${notice.id}/objection`, { words: 'No.' })).status).toBe(404)
  await ana.post(`/api/notices/${notice.id}/objection`, { words: 'It was a joke.' })
  const upheld = { reason: 'We have looked again', upheld: true }
  const answer = (by: Person) => by.post(`/api/operate/objections/${notice.id}/answer`, upheld)
  expect((await answer(otto)).status).toBe(409)
  expect((await answer(olga)).status).toBe(200)
  expect(await read(listing)).toEqual([[INSULT, true]])
  expect(await notices(ana)).toMatchObject([
    { action: 'reply-shown' },
    { id: notice.id, taken_back_at: expect.any(String), objection: { answer: { upheld: true } } },
    ...Array(((await notices(ana)) as unknown[]).length - 2).fill({}),
  ])
})

test('an objection about a reply that is gone is upheld all the same, and no other reply appears', async () => {
  const { listing, review } = await replied()
  await hide(review)
  const [first] = await notices(ana)
  await ana.post(`/api/notices/${first.id}/objection`, { words: 'It was a joke.' })
  await ana.delete(`/api/reviews/${review}/reply`)
  await write(review, 'Worse words.')
  await hide(review)
  expect((await notices(ana))[1]).toMatchObject({ id: first.id, reply: null })
  const upheld = { reason: 'You were right', upheld: true }
  expect((await olga.post(`/api/operate/objections/${first.id}/answer`, upheld)).status).toBe(200)
  expect(await read(listing)).toEqual([[null, false]])
})

test('anybody reports a reply, and operators see it with its review; a measure answers the reports about it alone', async () => {
  const { listing, review } = await replied()
  const report = (person: Person, what = 'reply/') =>
    person.post(`/api/reviews/${review}/${what}reports`, aReport)
  expect((await report(shop.visitor())).status).toBe(201)
  expect((await report(ben)).status).toBe(201)
  expectRefusal(await report(ben), 409, 'You have reported this already. Somebody will answer it')
  // The review is another thing.
  expect((await report(ben, '')).status).toBe(201)
  const about = { about: 'reply', person: { username: ana.user.username } }
  const context = {
    review: 'Cracked.',
    open_reports: 1,
    reply: { text: INSULT, maker: ana.user.username, hidden: false, open_reports: 2 },
  }
  expect(await queue()).toMatchObject([
    { ...about, review: context },
    { ...about, review: context, reporter: ben.user.username },
    { about: 'review', person: { username: ben.user.username } },
  ])
  await hide(review)
  expect((await queue()).map(({ about }: { about: string }) => about)).toEqual(['review'])
  expectRefusal(await report(shop.visitor()), 404, 'There is no such reply')
  await otto.post(`/api/operate/reviews/${review}/hide`, statement)
  expect(await queue()).toEqual([])
  await otto.post(`/api/operate/reviews/${review}/show`, { reason: 'It was a mistake' })
  await show(review)
  // Without a measure, too.
  const { id } = (await report(ben)).body
  await report(ben, '')
  await otto.post(`/api/operate/reports/${id}/dismiss`, { reason: 'It is harmless' })
  expect((await queue()).map(({ about }: { about: string }) => about)).toEqual(['review'])
  const mine = JSON.stringify(await shop.rows(`select of_reply from reports where review_id = ${review}`))
  expect(mine).toContain('true')
  expect((await shop.visitor().get(`/report?listing=${listing}&reply=${review}`)).body).toContain('you fool')
})

test('operators hide no reply of their own', async () => {
  const { id } = await shop.list(olga)
  const review = (await ben.post(`/api/reviews/${id}/create-review`, { review: 'Fine.', stars: 4 })).body.id
  await write(review, 'Thank you.', olga)
  expect((await hide(review, olga)).status).toBe(409)
  expect(await read(id)).toEqual([['Thank you.', true]])
})

test('its maker deletes a hidden reply also when the review is hidden, or the piece is not for sale any more', async () => {
  const hideReview = (review: number) => otto.post(`/api/operate/reviews/${review}/hide`, statement)
  const suspension = `/api/operate/people/${ana.user.id}`
  const ways = [
    hideReview,
    (_: number, listing: number) => ana.post(`/api/products/${listing}/retire`),
    (_: number, listing: number) => ana.delete(`/api/products/${listing}`),
    (_: number, listing: number) => otto.post(`/api/operate/listings/${listing}/hide`, statement),
    () => otto.post(`${suspension}/suspend`, statement),
  ]
  for (const way of ways) {
    const { listing, review } = await replied()
    await hide(review)
    expect((await way(review, listing)).status).toBe(200)
    expect([403, 404]).toContain((await write(review, 'Sorry.')).status)
    expect((await ben.delete(`/api/reviews/${review}/reply`)).status).toBe(403)
    expect((await ana.delete(`/api/reviews/${review}/reply`)).status).toBe(200)
    const stored = await shop.rows(`select reply, reply_hidden_at from reviews where id = ${review}`)
    expect(stored).toEqual([{ reply: null, reply_hidden_at: null }])
  }
  await otto.post(`${suspension}/restore`, { reason: 'It was a mistake' })
  // One that is not hidden stays with its review.
  const { review } = await replied()
  await hideReview(review)
  expect((await ana.delete(`/api/reviews/${review}/reply`)).status).toBe(404)
})

test('it is deleted from its notice, too, but not what was written since, or is shown again', async () => {
  const { listing, review } = await replied()
  await hide(review)
  await otto.post(`/api/operate/reviews/${review}/hide`, statement)
  const [notice] = await notices(ana)
  expect(notice).toMatchObject({ reply: INSULT, review_id: review })
  const form = await openForm(ana, '/settings/notices', 'Yes, delete it')
  expect(form.fields).toEqual({ reply: String(notice.id) })
  const stored = async () => (await shop.rows(`select reply from reviews where id = ${review}`))[0]?.reply
  const to = async (person: Person) => (await send(person, form)).headers.location
  const page = async (path: string) => (await ana.get(path, { accept: 'text/html' })).body
  // It does nothing for anybody else.
  await to(ben)
  expect(await stored()).toBe(INSULT)
  expect(await to(ana)).toBe('/settings/notices?done=reply-deleted')
  expect(await page('/settings/notices?done=reply-deleted')).toContain('Your reply is deleted')
  expect(await stored()).toBeNull()
  await otto.post(`/api/operate/reviews/${review}/show`, { reason: 'It was a mistake' })
  expect((await write(review, 'Sorry.')).status).toBe(200)
  // A notice in another tab.
  expect(await to(ana)).toBe('/settings/notices?done=reply-deleted')
  expect(await read(listing)).toEqual([['Sorry.', true]])
  await hide(review)
  const stale = await openForm(ana, '/settings/notices', 'Yes, delete it')
  await show(review)
  const refused = await send(ana, stale)
  expect([refused.status, refused.body]).toEqual([409, expect.stringContaining('nothing was deleted')])
  expect(await read(listing)).toEqual([['Sorry.', true]])
})
