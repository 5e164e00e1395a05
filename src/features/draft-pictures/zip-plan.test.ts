import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'
import { plan } from './zip-intake.ts'

let shop: TestShop
let seller: number
let draft: number
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  seller = (await shop.signUp('ana')).user.id
  const [{ id }] = await shop.rows(`
    insert into drafts (seller_id, fields, imported) values (${seller}, '{"name": "Mug"}', '{"skus": ["MUG-01"]}') returning id`)
  draft = id
})
const namesOf = (count: number) => Array.from({ length: count }, (_, n) => `MUG-01/${n + 10}.png`)

test('more photos than a draft can wait for are named', async () => {
  const names = namesOf(26)
  const planned = await plan(shop.db, seller, { names })
  expect(planned).toMatchObject({ taken: 24, unknown: 2, unknown_names: names.slice(24) })
})

test('a zip that is sent twice at once comes once', async () => {
  const names = namesOf(2)
  const plans = await Promise.all([1, 2].map(() => plan(shop.db, seller, { names })))
  expect(plans.map(({ taken }) => taken)).toEqual([2, 2])
  const queued = `select url from draft_pictures where draft_id = ${draft} order by position`
  expect(await shop.rows(queued)).toEqual(names.map(name => ({ url: `zip:${name}` })))
})
