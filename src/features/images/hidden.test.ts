import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal, soon } from '../../../test/support/expect.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { openPool } from '../../platform/database/database.ts'
import { VisibilityCache } from './visibility.ts'

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

/** A listing of Ana with a photo. */
const withPhoto = async () => {
  const { id } = await shop.list(ana)
  const { url } = (await ana.upload(`/api/products/${id}/images`, pngOf(30, 20))).body as { url: string }
  return { id, url }
}
const reason = { reason: 'The photo is not yours' }
const hide = (id: number) => otto.post(`/api/operate/listings/${id}/hide`, { ...reason, rule: '' })
const show = (id: number) => otto.post(`/api/operate/listings/${id}/show`, reason)
const PUBLIC = 'public, max-age=86400, s-maxage=60'
const cachingOf = async (person: Person, url: string) => {
  const { status, headers } = await person.get(url)
  return status === 200 ? headers['cache-control'] : status
}

test('the photos of a hidden listing are given to its maker and to operators alone, and to no cache', async () => {
  const { id, url } = await withPhoto()
  const visitor = shop.visitor()
  const thief = shop.visitor()
  thief.cookie = otto.cookie
  const { etag } = (await visitor.get(url)).headers
  expect((await hide(id)).status).toBe(200)
  for (const person of [visitor, ben, thief])
    expectRefusal(await person.get(url), 404, 'There is no such picture')
  expect((await visitor.get(url, { 'if-none-match': String(etag) })).status).toBe(404)
  expect((await visitor.send({ method: 'HEAD', url })).status).toBe(404)
  for (const person of [ana, otto]) expect(await cachingOf(person, url)).toBe('private, no-store')
  expect((await ana.get(url)).headers['cross-origin-resource-policy']).toBe('same-origin')
  expect(await cachingOf(visitor, url)).toBe(404)
  expect((await show(id)).status).toBe(200)
  for (const person of [visitor, ben, thief, ana, otto]) expect(await cachingOf(person, url)).toBe(PUBLIC)
})

test('the photo of a listing that is deleted is hidden until it is gone, and that of a retired one is not', async () => {
  const { id, url } = await withPhoto()
  await ana.post(`/api/products/${id}/retire`)
  expect(await cachingOf(ben, url)).toBe(PUBLIC)
  // Deleted, but its files are not removed yet.
  await shop.rows(`update products set retired_at = null where id = ${id}`)
  expect(await cachingOf(ben, url)).toBe(404)
})

test('all pictures of a suspended maker are hidden, that of their page too, and come back', async () => {
  const { url } = await withPhoto()
  const portrait = (await ana.upload(`/api/shops/${ana.user.username}/picture`, pngOf(40, 40))).body
  const all = [url, portrait.url]
  for (const picture of all) expect(await cachingOf(ben, picture)).toBe(PUBLIC)
  expect(
    (await otto.post(`/api/operate/people/${ana.user.id}/suspend`, { ...reason, rule: '' })).status,
  ).toBe(200)
  for (const picture of all) {
    expect(await cachingOf(ben, picture)).toBe(404)
    expect(await cachingOf(ana, picture)).toBe('private, no-store')
  }
  expect((await otto.post(`/api/operate/people/${ana.user.id}/restore`, reason)).status).toBe(200)
  for (const picture of all) expect(await cachingOf(ben, picture)).toBe(PUBLIC)
})

test('a photo is gone when somebody else hides its listing in the database', async () => {
  const { id, url } = await withPhoto()
  const visitor = shop.visitor()
  expect(await cachingOf(visitor, url)).toBe(PUBLIC)
  await shop.rows(`update products set hidden_at = now(), deleted_at = now() where id = ${id}`)
  await expect.poll(() => cachingOf(visitor, url), soon).toBe(404)
})

test('operators see the photos of a hidden listing, and with the objection of its maker', async () => {
  const { id, url } = await withPhoto()
  await hide(id)
  const { rows } = (await otto.get('/api/operate/listings?hidden=true')).body
  expect(rows[0]).toMatchObject({ id, state: 'hidden', images: [{ url }] })
  const { notices } = (await ana.get('/api/notices/')).body
  await ana.post(`/api/notices/${notices[0].id}/objection`, { words: 'I took it myself.' })
  const { objections } = (await otto.get('/api/operate/objections')).body
  expect(objections).toMatchObject([{ listing: { id, images: [{ url }] } }])
  const html = String((await otto.get('/operate/reports', { accept: 'text/html' })).body)
  expect(html).toContain(`href="${url}"`)
})

test('while the database is unavailable, a picture is as visible as it was', async () => {
  const nowhere = openPool({ host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' }, 1)
  const cache = new VisibilityCache()
  cache.set(1, 'seen', { owner: ana.user.id, isHidden: true })
  expect(await cache.get(nowhere.db, 2, 'seen')).toMatchObject({ owner: ana.user.id, isHidden: true })
  expect(await cache.get(nowhere.db, 2, 'never seen')).toEqual({ owner: null, isHidden: false })
  expect(cache.wasPublic('seen')).toBe(false)
  await nowhere.close()
})
