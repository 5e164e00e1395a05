import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** The field of the header on this page. */
async function fieldOf(path: string): Promise<string> {
  const { body } = await shop.visitor().get(path, { accept: 'text/html' })
  return /<input[^>]*id="search-header"[^>]*>/.exec(String(body))?.[0] ?? ''
}

test.each(['/?q=mug', '/search?q=mug', '/categories/home-and-living?q=mug'])(
  '%s: the header has the search',
  async path => {
    expect(await fieldOf(path)).toContain('value="mug"')
  },
)

test('the header does not repeat a search for makers', async () => {
  const field = await fieldOf('/makers?q=mug')
  expect(field).toContain('name="q"')
  expect(field).not.toContain('mug')
})
