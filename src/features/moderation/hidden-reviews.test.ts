import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { urlencoded } from '../../../test/support/form-posts.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { openForm, send } from '../../../test/support/resilience/forms.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let otto: Person
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
  ana = await shop.signUp('ana')
  ben = await shop.signUp('ben')
})
afterAll(() => shop.close())

const hide = (id: number) =>
  otto.post(`/api/operate/reviews/${id}/hide`, { reason: 'It insults a person', rule: 'Be kind' })
const show = (id: number) => otto.post(`/api/operate/reviews/${id}/show`, { reason: 'It was a mistake' })

test('a hidden review is shown to nobody and does not count, until it is shown again', async () => {
  const { id } = await shop.list(ana)
  const words = { review: 'Insulting words about a person.', stars: 1 }
  const review = (await ben.post(`/api/reviews/${id}/create-review`, words)).body.id
  expect((await hide(review)).status).toBe(200)
  expect((await ben.get(`/api/reviews/${id}/reviews`)).body).toEqual([])
  // Its author still finds it.
  expect((await ben.get(`/api/reviews/${id}/own`)).body).toMatchObject([{ id: review, hidden: true }])
  const page = (await ben.get(`/products/${id}`)).body
  expect(page).toContain('Those who run the shop have hidden your review of this piece')
  expect(page).not.toContain('You have not left a review yet')
  const opened = (path: string) => ben.get(`/products/${id}/${path}`, { accept: 'text/html' })
  expect((await opened('delete-review')).body).toContain('>Yes<')
  expect((await opened('edit-review')).body).toContain('have hidden your review of this piece')
  expect((await ben.get(`/api/reviews/${id}/histogram`)).body).toEqual({ stars: [0, 0, 0, 0, 0] })
  expect((await ben.get(`/api/products/${id}`)).body).toMatchObject({ rating: null, review_count: 0 })
  expect((await ben.post(`/api/reviews/${review}/edit-review`, words)).status).toBe(404)
  expectRefusal(
    await ben.post(`/api/reviews/${id}/create-review`, words),
    409,
    'Those who run the shop have hidden your review of this piece. Notices in Settings says why, and how to object',
  )
  expect((await show(review)).status).toBe(200)
  expect((await ben.get(`/api/products/${id}`)).body).toMatchObject({ rating: 1, review_count: 1 })
  expectRefusal(
    await ben.post(`/api/reviews/${id}/create-review`, words),
    409,
    'You can only leave one review per product.',
  )
})

test('the author of a hidden review can delete it, from the notice too', async () => {
  const { id } = await shop.list(ana)
  const rosa = await shop.signUp('rosa')
  const written = await rosa.post(`/api/reviews/${id}/create-review`, { review: 'Cracked.', stars: 1 })
  expect((await hide(written.body.id)).status).toBe(200)
  const [notice] = (await rosa.get('/api/notices/')).body.notices
  expect(notice).toMatchObject({ review: 'Cracked.', review_id: written.body.id })
  expectRefusal(
    await ben.delete(`/api/reviews/${written.body.id}/delete-review`),
    403,
    'This is not your review',
  )
  // Also when its listing is not for sale any more.
  expect((await ana.post(`/api/products/${id}/retire`)).status).toBe(200)
  const response = await send(rosa, await openForm(rosa, '/settings/notices', 'Yes, delete it'))
  expect(response.headers.location).toBe('/settings/notices?done=deleted')
  // A notice in another tab does not delete what was written since.
  expect((await ana.post(`/api/products/${id}/restore`)).status).toBe(200)
  const again = await rosa.post(`/api/reviews/${id}/create-review`, { review: 'Better now.', stars: 4 })
  expect((await urlencoded(rosa, '/settings/notices', { review: String(written.body.id) })).status).toBe(303)
  expect((await rosa.get(`/api/reviews/${id}/own`)).body).toMatchObject([{ id: again.body.id }])
  expect((await rosa.get('/api/notices/')).body.notices).toMatchObject([{ review: null, review_id: null }])
})
