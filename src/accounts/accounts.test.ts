import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../test/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('signing up signs in, and the session answers the person', async () => {
  const ana = await shop.signUp('ana')
  const { status, body } = await ana.get('/api/auth/')
  expect(status).toBe(200)
  expect(body).toEqual(ana.user)
  expect(Object.keys(body).sort()).toEqual(['email', 'first_name', 'id', 'last_name', 'username'])
})

test('a visitor has no session: 401 in the documented shape', async () => {
  const { status, body } = await shop.visitor().get('/api/auth/')
  expect(status).toBe(401)
  expect(body).toEqual({ message: 'Please log in', errors: ['Please log in'] })
})
