import { expect, test } from 'vitest'
import { HiddenReplies, INSULT, STATEMENT } from '../../../test/support/hidden-replies.ts'
import { openForm, send } from '../../../test/support/resilience/forms.ts'
import type { Person } from '../../../test/support/shop.ts'

const own = new HiddenReplies()
const { hide, show, write, replied, read, notices } = own

test('its maker deletes a hidden reply also when the review is hidden, or the piece is not for sale any more', async () => {
  const hideReview = (review: number) => own.otto.post(`/api/operate/reviews/${review}/hide`, STATEMENT)
  const suspension = `/api/operate/people/${own.ana.user.id}`
  const ways = [
    hideReview,
    (_: number, listing: number) => own.ana.post(`/api/products/${listing}/retire`),
    (_: number, listing: number) => own.ana.delete(`/api/products/${listing}`),
    (_: number, listing: number) => own.otto.post(`/api/operate/listings/${listing}/hide`, STATEMENT),
    () => own.otto.post(`${suspension}/suspend`, STATEMENT),
  ]
  for (const way of ways) {
    const { listing, review } = await replied()
    await hide(review)
    expect((await way(review, listing)).status).toBe(200)
    expect([403, 404]).toContain((await write(review, 'Sorry.')).status)
    expect((await own.ben.delete(`/api/reviews/${review}/reply`)).status).toBe(403)
    expect((await own.ana.delete(`/api/reviews/${review}/reply`)).status).toBe(200)
    const stored = await own.shop.rows(`select reply, reply_hidden_at from reviews where id = ${review}`)
    expect(stored).toEqual([{ reply: null, reply_hidden_at: null }])
  }
  await own.otto.post(`${suspension}/restore`, { reason: 'It was a mistake' })
  // One that is not hidden stays with its review.
  const { review } = await replied()
  await hideReview(review)
  expect((await own.ana.delete(`/api/reviews/${review}/reply`)).status).toBe(404)
})

test('it is deleted from its notice, too, but not what was written since, or is shown again', async () => {
  const { listing, review } = await replied()
  await hide(review)
  await own.otto.post(`/api/operate/reviews/${review}/hide`, STATEMENT)
  const [notice] = await notices(own.ana)
  expect(notice).toMatchObject({ reply: INSULT, review_id: review })
  const form = await openForm(own.ana, '/settings/notices', 'Yes, delete it')
  expect(form.fields).toEqual({ reply: String(notice.id) })
  const stored = async () => (await own.shop.rows(`select reply from reviews where id = ${review}`))[0]?.reply
  const to = async (person: Person) => (await send(person, form)).headers.location
  const page = async (path: string) => (await own.ana.get(path, { accept: 'text/html' })).body
  // It does nothing for anybody else.
  await to(own.ben)
  expect(await stored()).toBe(INSULT)
  expect(await to(own.ana)).toBe('/settings/notices?done=reply-deleted')
  expect(await page('/settings/notices?done=reply-deleted')).toContain('Your reply is deleted')
  expect(await stored()).toBeNull()
  await own.otto.post(`/api/operate/reviews/${review}/show`, { reason: 'It was a mistake' })
  expect((await write(review, 'Sorry.')).status).toBe(200)
  // A notice in another tab.
  expect(await to(own.ana)).toBe('/settings/notices?done=reply-deleted')
  expect(await read(listing)).toEqual([['Sorry.', true]])
  await hide(review)
  const stale = await openForm(own.ana, '/settings/notices', 'Yes, delete it')
  await show(review)
  const refused = await send(own.ana, stale)
  expect([refused.status, refused.body]).toEqual([409, expect.stringContaining('nothing was deleted')])
  expect(await read(listing)).toEqual([['Sorry.', true]])
})
