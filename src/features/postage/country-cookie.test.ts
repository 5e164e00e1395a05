import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('the country is a cookie for a year, only a known one counts, and null forgets it', async () => {
  const visitor = shop.visitor()
  expect((await visitor.get('/api/country')).body).toEqual({ country: null })
  const { headers } = await visitor.put('/api/country', { country: 'PT' })
  expect(String(headers['set-cookie'])).toBe('country=PT; Max-Age=31536000; Path=/; SameSite=Lax')
  expect((await visitor.get('/api/country')).body).toEqual({ country: 'PT' })
  expect((await visitor.put('/api/country', { country: 'ZZ' })).status).toBe(400)
  await visitor.put('/api/country', { country: null })
  expect((await visitor.get('/api/country')).body).toEqual({ country: null })
  visitor.choices = { country: 'ZZ<script>' }
  expect((await visitor.get('/api/country')).body).toEqual({ country: null })
})
