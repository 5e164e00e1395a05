import { expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { aReport } from '../../../test/support/fixtures.ts'
import { HiddenReplies, INSULT, STATEMENT } from '../../../test/support/hidden-replies.ts'
import type { Person } from '../../../test/support/shop.ts'

const own = new HiddenReplies()
const { hide, show, write, replied, read, notices } = own
const queue = async () => (await own.otto.get('/api/operate/reports')).body.reports

test('a hidden reply is gone from the calls, the page and letters, and comes back', async () => {
  const { listing, review } = await replied()
  const page = async () => (await fetch(`${own.shop.address}/products/${listing}`)).text()
  const told = async () => JSON.stringify((await own.ben.get('/api/notifications/')).body)
  expect(await page()).toContain('you fool')
  expect(await told()).toContain('An answer to your review')
  expect((await hide(review)).status).toBe(200)
  expect(await read(listing)).toEqual([[null, false]])
  expect((await own.ben.get(`/api/reviews/${listing}/own`)).body).toMatchObject([
    { reply: null, replied_at: null },
  ])
  expect(await page()).not.toContain('you fool')
  expect(await told()).not.toContain('An answer to your review')
  // The review stays, and counts.
  expect((await own.ben.get(`/api/products/${listing}`)).body).toMatchObject({ rating: 1, review_count: 1 })
  const { rows } = (await own.otto.get('/api/operate/reviews?hidden=true')).body
  expect(rows).toMatchObject([{ id: review, hidden: false, reply: { text: INSULT, hidden: true } }])
  expectRefusal(await hide(review), 409, 'This reply is hidden already')
  expect((await show(review)).status).toBe(200)
  expect(await read(listing)).toEqual([[INSULT, true]])
  expect(await page()).toContain('you fool')
  expectRefusal(await show(review), 409, 'This reply is not hidden')
  expect((await own.otto.get('/api/operate/log?limit=2')).body.entries).toMatchObject([
    { action: 'reply-shown', review_id: review, listing: { id: listing }, person: own.ana.user.username },
    { action: 'reply-hidden', review_id: review, ...STATEMENT },
  ])
  await own.ana.delete(`/api/reviews/${review}/reply`)
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
  expectRefusal(
    await write(review, 'Sorry.', own.ben),
    403,
    'Only the maker of a piece may answer its reviews',
  )
  expect((await own.ana.delete(`/api/reviews/${review}/reply`)).status).toBe(200)
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
    const stored = await own.shop.rows(`select reply from reviews where id = ${review}`)
    expect(stored).toEqual([{ reply: changed.status === 200 ? 'Changed.' : INSULT }])
  }
})

test('its maker reads why, objects, and another operator shows it again', async () => {
  const { listing, review } = await replied()
  await hide(review)
  const [notice] = await notices(own.ana)
  expect(notice).toMatchObject({
    action: 'reply-hidden',
    listing: 'Indigo bowl',
    review: null,
    reply: INSULT,
    ...STATEMENT,
    taken_back_at: null,
  })
  // The author of the review is told nothing.
  expect(await notices(own.ben)).toEqual([])
  expect((await own.ben.post(`/api/notices/${notice.id}/objection`, { words: 'No.' })).status).toBe(404)
  await own.ana.post(`/api/notices/${notice.id}/objection`, { words: 'It was a joke.' })
  const upheld = { reason: 'We have looked again', upheld: true }
  const answer = (by: Person) => by.post(`/api/operate/objections/${notice.id}/answer`, upheld)
  expect((await answer(own.otto)).status).toBe(409)
  expect((await answer(own.olga)).status).toBe(200)
  expect(await read(listing)).toEqual([[INSULT, true]])
  expect(await notices(own.ana)).toMatchObject([
    { action: 'reply-shown' },
    { id: notice.id, taken_back_at: expect.any(String), objection: { answer: { upheld: true } } },
    ...Array(((await notices(own.ana)) as unknown[]).length - 2).fill({}),
  ])
})

test('an objection about a reply that is gone is upheld all the same, and no other reply appears', async () => {
  const { listing, review } = await replied()
  await hide(review)
  const [first] = await notices(own.ana)
  await own.ana.post(`/api/notices/${first.id}/objection`, { words: 'It was a joke.' })
  await own.ana.delete(`/api/reviews/${review}/reply`)
  await write(review, 'Worse words.')
  await hide(review)
  expect((await notices(own.ana))[1]).toMatchObject({ id: first.id, reply: null })
  const upheld = { reason: 'You were right', upheld: true }
  expect((await own.olga.post(`/api/operate/objections/${first.id}/answer`, upheld)).status).toBe(200)
  expect(await read(listing)).toEqual([[null, false]])
})

test('anybody reports a reply, and operators see it with its review; a measure answers the reports about it alone', async () => {
  const { listing, review } = await replied()
  const report = (person: Person, what = 'reply/') =>
    person.post(`/api/reviews/${review}/${what}reports`, aReport)
  expect((await report(own.shop.visitor())).status).toBe(201)
  expect((await report(own.ben)).status).toBe(201)
  expectRefusal(await report(own.ben), 409, 'You have reported this already. Somebody will answer it')
  // The review is another thing.
  expect((await report(own.ben, '')).status).toBe(201)
  const about = { about: 'reply', person: { username: own.ana.user.username } }
  const context = {
    review: 'Cracked.',
    open_reports: 1,
    reply: { text: INSULT, maker: own.ana.user.username, hidden: false, open_reports: 2 },
  }
  expect(await queue()).toMatchObject([
    { ...about, review: context },
    { ...about, review: context, reporter: own.ben.user.username },
    { about: 'review', person: { username: own.ben.user.username } },
  ])
  await hide(review)
  expect((await queue()).map(({ about }: { about: string }) => about)).toEqual(['review'])
  expectRefusal(await report(own.shop.visitor()), 404, 'There is no such reply')
  await own.otto.post(`/api/operate/reviews/${review}/hide`, STATEMENT)
  expect(await queue()).toEqual([])
  await own.otto.post(`/api/operate/reviews/${review}/show`, { reason: 'It was a mistake' })
  await show(review)
  // Without a measure, too.
  const { id } = (await report(own.ben)).body
  await report(own.ben, '')
  await own.otto.post(`/api/operate/reports/${id}/dismiss`, { reason: 'It is harmless' })
  expect((await queue()).map(({ about }: { about: string }) => about)).toEqual(['review'])
  const mine = JSON.stringify(await own.shop.rows(`select of_reply from reports where review_id = ${review}`))
  expect(mine).toContain('true')
  expect((await own.shop.visitor().get(`/report?listing=${listing}&reply=${review}`)).body).toContain(
    'you fool',
  )
})

test('operators hide no reply of their own', async () => {
  const { id } = await own.shop.list(own.olga)
  const review = (await own.ben.post(`/api/reviews/${id}/create-review`, { review: 'Fine.', stars: 4 })).body
    .id
  await write(review, 'Thank you.', own.olga)
  expect((await hide(review, own.olga)).status).toBe(409)
  expect(await read(id)).toEqual([['Thank you.', true]])
})
