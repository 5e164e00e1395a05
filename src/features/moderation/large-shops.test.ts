import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOperator } from '../../../test/support/operators.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let otto: Person
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

/** Adds many listings of Ana. @param columns further ones, with their values */
async function addTiles(count: number, [column, value] = ['deleted_at', 'null']): Promise<void> {
  for (let added = 0; added < count; added += 1000)
    await shop.rows(`
      insert into products (seller_id, name, category, description, price_cents, ${column})
      select ${ana.user.id}, 'Tile', 'Home & Living', 'Flat.', 500, ${value} from generate_series(1, 1000)`)
}

test('words of old rows are found on later pages, and a number finds its row at once', async () => {
  const first = await shop.list(ana, { name: 'Zebra wood bowl' })
  await addTiles(20_000, ['deleted_at', 'now()'])
  const search = async (query: string) => (await otto.get(`/api/operate/listings?${query}`)).body
  const { rows, next_cursor } = await search('q=zebra')
  expect([rows, next_cursor]).toEqual([[], expect.any(String)])
  const further = await search(`q=zebra&cursor=${next_cursor}`)
  expect([further.rows, further.next_cursor]).toMatchObject([[{ id: first.id }], null])
  expect((await search(`q=${first.id}`)).rows).toMatchObject([{ id: first.id }])
})

test('a shop of 4,000 listings is suspended, and comes back whole', async () => {
  await addTiles(4_000)
  const listed = async () => {
    const [{ n }] = await shop.rows(`select count(*)::int as n from products where deleted_at is null`)
    return n
  }
  const all = await listed()
  const path = `/api/operate/people/${ana.user.id}`
  expect((await otto.post(`${path}/suspend`, { reason: 'Copies', rule: '' })).status).toBe(200)
  expect(await listed()).toBe(0)
  expect((await otto.post(`${path}/restore`, { reason: 'We have talked' })).status).toBe(200)
  expect([all, await listed()]).toEqual([4_001, 4_001])
})
