import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const html = async (path: string) => String((await shop.visitor().get(path, { accept: 'text/html' })).body)

test.each([
  ['/cart', 'to see your cart'],
  ['/cart?add=7&quantity=1', 'to add it to your cart'],
  ['/favourites?save=7', 'to save it'],
  ['/messages/to/wren?listing=7', 'to write to the maker'],
  ['/messages', 'to read your messages'],
])('the pages of login and signup that lead to %s say so', async (next, purpose) => {
  const query = `?next=${encodeURIComponent(next)}`
  expect(await html(`/login${query}`)).toContain(`>Log in ${purpose}</p>`)
  expect(await html(`/signup${query}`)).toContain(`<p>Sign up ${purpose}</p>`)
})

test('without anything to lead to they say nothing', async () => {
  for (const path of ['/login', '/signup', '/login?next=%2Fproducts%2F7'])
    expect(await html(path)).not.toMatch(/>(Log in|Sign up) to /)
})
