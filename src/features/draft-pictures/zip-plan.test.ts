import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { queue } from './draft-pictures.ts'
import { plan } from './zip-intake.ts'

let shop: TestShop
let ana: Person
let draft: number
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  ana = await shop.signUp('ana')
  const [{ id }] = await shop.rows(`
    insert into drafts (seller_id, fields, imported) values (${ana.user.id}, '{"name": "Mug"}', '{"skus": ["MUG-01"]}') returning id`)
  draft = id
})
const namesOf = (count: number) => Array.from({ length: count }, (_, n) => `MUG-01/${n + 10}.png`)

test('more photos than a draft can wait for are named', async () => {
  const names = namesOf(26)
  const planned = await plan(shop.db, ana.user.id, { names })
  expect(planned).toMatchObject({ taken: 24, unknown: 2, unknown_names: names.slice(24) })
})

test('a listing that was deleted for good does not take the photos of the draft that is imported again', async () => {
  const { id } = await shop.list(ana)
  const url = 'https://i.etsystatic.com/1/r/il/ab/1/il_fullxfull.1_abc.jpg'
  await queue(shop.db, ana.user.id, [{ draft, urls: [url] }])
  await shop.rows(`update draft_pictures set state = 'fetched', draft_id = null, product_id = ${id}`)
  await ana.delete(`/api/products/${id}`)
  await queue(shop.db, ana.user.id, [{ draft, urls: [url] }])
  const names = ['il_fullxfull.1_abc.jpg']
  expect(await plan(shop.db, ana.user.id, { names })).toMatchObject({ taken: 1, unknown: 0 })
})

test('a listing that is retired takes no photo, and what it waits for stays as it was', async () => {
  const { id } = await shop.list(ana)
  const url = 'https://i.etsystatic.com/1/r/il/ab/1/il_fullxfull.2_abc.jpg'
  await queue(shop.db, ana.user.id, [{ draft, urls: [url] }])
  const rows = `select state, reason from draft_pictures where product_id = ${id}`
  await shop.rows(`update draft_pictures set state = 'failed', reason = 'Its server is busy', draft_id = null,
    product_id = ${id} where draft_id = ${draft}`)
  await ana.post(`/api/products/${id}/retire`)
  const names = ['il_fullxfull.2_abc.jpg']
  expect(await plan(shop.db, ana.user.id, { names })).toMatchObject({ taken: 0, unknown: 1 })
  expect(await shop.rows(rows)).toEqual([{ state: 'failed', reason: 'Its server is busy' }])
  await ana.post(`/api/products/${id}/restore`)
  expect(await plan(shop.db, ana.user.id, { names })).toMatchObject({ taken: 1, unknown: 0 })
})

test('a zip that is sent twice at once comes once', async () => {
  const names = namesOf(2)
  const plans = await Promise.all([1, 2].map(() => plan(shop.db, ana.user.id, { names })))
  expect(plans.map(({ taken }) => taken)).toEqual([2, 2])
  const queued = `select url from draft_pictures where draft_id = ${draft} order by position`
  expect(await shop.rows(queued)).toEqual(names.map(name => ({ url: `zip:${name}` })))
})
