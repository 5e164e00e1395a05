import { strFromU8 } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { times } from '../support/expect.ts'
import { download } from '../support/own-data.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ signups: true })
})
afterAll(() => shop.close())

test('an empty account has a download too, and many at once are whole', async () => {
  const people = await times(6, n => shop.signUp(`p${n}`))
  const all = await Promise.all(people.map(person => download(shop, person)))
  for (const [n, files] of all.entries()) {
    expect(Object.keys(files).sort()).toEqual(['READ ME.txt', 'data.json'])
    const data = JSON.parse(strFromU8(files['data.json'] ?? new Uint8Array()))
    expect(data).toMatchObject({ account: people[n]?.user, listings: [], orders: [], shop: null })
  }
})
