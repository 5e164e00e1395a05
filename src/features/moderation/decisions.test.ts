import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertAudit } from '../../../test/support/audit.ts'
import { expectRefusal } from '../../../test/support/expect.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

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
afterAll(async () => {
  await assertAudit(shop.connection, () => shop.files)
  await shop.close()
})

const statement = { reason: 'The photo is not yours', rule: 'Your own work' }
const hide = (kind: 'listings' | 'reviews', id: number, body: object = statement) =>
  otto.post(`/api/operate/${kind}/${id}/hide`, body)
const show = (kind: 'listings' | 'reviews', id: number) =>
  otto.post(`/api/operate/${kind}/${id}/show`, { reason: 'It was a mistake' })
const suspend = (person: Person) => otto.post(`/api/operate/people/${person.user.id}/suspend`, statement)
const restore = (person: Person) =>
  otto.post(`/api/operate/people/${person.user.id}/restore`, { reason: 'We have talked' })
const page = async (path: string) => (await fetch(shop.address + path)).text()

/** Where somebody can find a listing. */
const whereFound = async (id: number, name: string, username: string) => {
  const found: string[] = []
  const places = {
    list: '/api/products/?limit=100',
    search: `/api/products/?q=${encodeURIComponent(name)}`,
    shop: `/shops/${username}`,
    landing: '/',
    feed: '/feeds/listings.json',
    sitemap: '/sitemap.xml',
  }
  for (const [place, path] of Object.entries(places)) {
    let text = await page(path)
    if (place === 'sitemap')
      for (const [, part] of text.matchAll(/<loc>[^<]*?(\/sitemap[^<]*)<\/loc>/g))
        text += await page(part ?? '')
    if (text.includes(`products/${id}`) || text.includes(`"id":${id},`)) found.push(place)
  }
  return found
}

test('a hidden listing is gone everywhere at once, and back with all it had', async () => {
  const { id } = await shop.list(ana, { name: 'Indigo bowl', stock: 3 })
  await ben.post(`/api/reviews/${id}/create-review`, { review: 'Deep and blue.', stars: 4 })
  const { username } = ana.user
  const everywhere = ['list', 'search', 'shop', 'landing', 'feed', 'sitemap']
  expect(await whereFound(id, 'Indigo bowl', username)).toEqual(everywhere)
  expect((await hide('listings', id)).status).toBe(200)
  expect(await whereFound(id, 'Indigo bowl', username)).toEqual([])
  expect((await fetch(`${shop.address}/products/${id}`)).status).toBe(404)
  expectRefusal(await hide('listings', id), 409, 'This listing is hidden already')
  expect((await show('listings', id)).status).toBe(200)
  expect(await whereFound(id, 'Indigo bowl', username)).toEqual(everywhere)
  expect((await ana.get(`/api/products/${id}`)).body).toMatchObject({ stock: 3, rating: 4, review_count: 1 })
  expectRefusal(await show('listings', id), 409, 'This listing is not hidden')
})

test('its seller cannot bring a hidden listing back, but delete it, and its photos stay until then', async () => {
  const { id } = await shop.list(ana)
  await hide('listings', id)
  expectRefusal(
    await ana.post(`/api/products/${id}/restore`),
    403,
    'Those who run the shop have hidden this piece. Notices in Settings says why, and how to object',
  )
  expectRefusal(
    await ana.put(`/api/products/${id}`, aMug),
    404,
    'Those who run the shop have hidden this piece. Notices in Settings says why, and how to object',
  )
  expectRefusal(await ben.put(`/api/products/${id}`, aMug), 404, 'There is no such listing')
  // Retired meanwhile, it stays so.
  expect((await ana.post(`/api/products/${id}/retire`)).status).toBe(200)
  await show('listings', id)
  expect((await ana.get(`/api/products/${id}`)).status).toBe(404)
  expect((await ana.post(`/api/products/${id}/restore`)).status).toBe(200)
  await hide('listings', id)
  expect((await ana.delete(`/api/products/${id}`)).status).toBe(200)
  expect((await show('listings', id)).status).toBe(404)
})

test('what a suspended maker sells is hidden, running orders are sent and refunded, and it all comes back', async () => {
  const mila = await shop.signUp('mila')
  const { id } = await shop.list(mila, { name: 'Walnut spoon', stock: 9 })
  const retired = (await shop.list(mila)).id
  await mila.post(`/api/products/${retired}/retire`)
  const hidden = (await shop.list(mila)).id
  await hide('listings', hidden)
  const fields = { ...aMug, price: '24.50', stock: '3' }
  const draft = (await mila.post('/api/drafts/', { fields })).body.id
  await mila.upload(`/api/drafts/${draft}/images`, pngOf(30, 20))
  const earlier = (await shop.list(ana)).id
  await mila.post(`/api/reviews/${earlier}/create-review`, { review: 'Good.', stars: 4 })
  await ben.post(`/api/cart_items/add/${id}`, { quantity: 2 })
  const order = (await ben.post('/api/orders/checkout')).body.id
  await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })

  expect((await suspend(mila)).status).toBe(200)
  expect(await whereFound(id, 'Walnut spoon', mila.user.username)).toEqual([])
  expect((await ben.get(`/api/shops/${mila.user.username}`)).status).toBe(404)
  expect((await ben.post('/api/orders/checkout')).status).toBe(409)
  const suspended = 'Your shop is suspended. Notices in Settings says why, and how to object'
  expectRefusal(await mila.post('/api/products/', aMug), 403, suspended)
  for (const path of ['/settings/shop', '/products/new']) {
    const { status, headers } = await mila.get(path, { accept: 'text/html' })
    expect([path, status, headers.location]).toEqual([path, 302, '/settings/notices'])
  }
  expect((await mila.get('/api/selling/')).body).toMatchObject({ may_sell: true, suspended: true })
  for (const path of ['/your-listings', '/sell'])
    expect((await mila.get(path, { accept: 'text/html' })).body).toContain('Your shop is suspended')
  expectRefusal(await mila.post(`/api/products/${retired}/restore`), 403, suspended)
  const other = (await shop.list(ana)).id
  const review = { review: 'Lovely.', stars: 5 }
  expectRefusal(await mila.post(`/api/reviews/${other}/create-review`, review), 403, suspended)
  expectRefusal(await mila.post(`/api/drafts/${draft}/publish`), 403, suspended)
  expect((await mila.post(`/api/sales/${order}/payments`, { amount: 5, day: '2026-01-02' })).status).toBe(201)
  expect((await mila.post(`/api/sales/${order}/parcels`, {})).body.state).toBe('sent')
  expect((await mila.post(`/api/sales/${order}/refunds`, { amount: 2, day: '2026-01-03' })).status).toBe(201)
  for (const page of [`/sold/${order}`, `/sold/${order}/slip`, '/settings/holiday'])
    expect([page, (await mila.get(page, { accept: 'text/html' })).status]).toEqual([page, 200])
  expectRefusal(await suspend(mila), 409, 'They are suspended already')
  const edited = { review: 'Come to my own shop.', stars: 1 }
  expectRefusal(await mila.post(`/api/reviews/${earlier}/edit-review`, edited), 403, suspended)
  // What is shown again while its maker is suspended comes back with them.
  expect((await show('listings', hidden)).status).toBe(200)
  expect((await ben.get(`/api/products/${hidden}`)).status).toBe(404)

  expect((await restore(mila)).status).toBe(200)
  expect((await ben.get(`/api/products/${id}`)).body.stock).toBe(7)
  expect((await ben.get(`/api/products/${retired}`)).status).toBe(404)
  expect((await ben.get(`/api/products/${hidden}`)).status).toBe(200)
  expect((await mila.post(`/api/products/${retired}/restore`)).status).toBe(200)
  await show('listings', hidden)
  expect((await ben.get(`/api/products/${hidden}`)).status).toBe(200)
  expectRefusal(await restore(mila), 409, 'They are not suspended')
})

test('a measure needs a reason', async () => {
  const { id } = await shop.list(ana)
  expectRefusal(await hide('listings', id, { reason: ' ', rule: '' }), 400, 'Please give a reason')
  expect((await ana.get(`/api/products/${id}`)).status).toBe(200)
})

test('a link for a new password ends when its account becomes that of an operator', async () => {
  const rosa = await shop.signUp('rosa')
  await shop.rows(`update users set email_confirmed_at = now() where id = ${rosa.user.id}`)
  const made = await otto.post(`/api/operate/people/${rosa.user.id}/password-link`, { reason: 'They called' })
  const named = { email: rosa.user.email, reason: 'Helps on Saturdays' }
  expect((await otto.post('/api/operate/operators', named)).status).toBe(201)
  const reset = { token: made.body.path.split('=')[1], new_password: 'secret-2' }
  expect((await shop.visitor().post('/api/auth/reset-password', reset)).status).toBe(410)
})

test('a link for a new password lets somebody in again, once; not an operator', async () => {
  const body = { reason: 'They called from the fair' }
  const made = await otto.post(`/api/operate/people/${ben.user.id}/password-link`, body)
  expect(made.body.path).toMatch(/^\/reset-password\?token=[\w-]{43}$/)
  const token = made.body.path.split('=')[1]
  const reset = { token, new_password: 'secret-2' }
  expect((await shop.visitor().post('/api/auth/reset-password', reset)).status).toBe(200)
  expect((await shop.visitor().post('/api/auth/reset-password', reset)).status).toBe(410)
  // Nobody has shown that they read the address.
  expect(await shop.rows(`select email_confirmed_at from users where id = ${ben.user.id}`)).toEqual([
    { email_confirmed_at: null },
  ])
  const again = await otto.post(`/api/operate/people/${otto.user.id}/password-link`, body)
  expectRefusal(again, 409, 'The password of an operator is reset by a command on the server')
  ben = await shop.signUp('ben')
})

test('operators decide nothing about what is their own', async () => {
  const own = 'This is about you or what is yours: another operator decides it'
  const olga = await openOperator(shop, 'olga')
  const { id } = await shop.list(olga)
  await hide('listings', id)
  expectRefusal(await olga.post(`/api/operate/listings/${id}/show`, { reason: 'Mine' }), 409, own)
  const [{ decision }] = await shop.rows(
    `select max(id) as decision from operator_log where product_id = ${id}`,
  )
  await olga.post(`/api/notices/${decision}/objection`, { words: 'It is mine.' })
  const upheld = { reason: 'Mine', upheld: true }
  expectRefusal(await olga.post(`/api/operate/objections/${decision}/answer`, upheld), 409, own)
  expect((await olga.get(`/api/products/${id}`)).status).toBe(404)
  const other = (await shop.list(olga)).id
  const report = (await ben.post(`/api/products/${other}/reports`, { grounds: 'copy', words: 'A copy.' }))
    .body.id
  expectRefusal(await olga.post(`/api/operate/reports/${report}/dismiss`, { reason: 'No' }), 409, own)
})

test('an objection about a listing that is gone is upheld all the same', async () => {
  const { id } = await shop.list(ana)
  await hide('listings', id)
  const [{ decision }] = await shop.rows(
    `select max(id) as decision from operator_log where product_id = ${id}`,
  )
  await ana.post(`/api/notices/${decision}/objection`, { words: 'It is mine.' })
  await ana.delete(`/api/products/${id}`)
  const olga = await openOperator(shop, 'olga')
  const upheld = { reason: 'You were right', upheld: true }
  expect((await olga.post(`/api/operate/objections/${decision}/answer`, upheld)).status).toBe(200)
  const [notice] = (await ana.get('/api/notices/')).body.notices.filter(
    ({ id }: { id: number }) => id === decision,
  )
  expect(notice.objection.answer).toMatchObject(upheld)
})
