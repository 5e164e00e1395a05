import { expect, onTestFinished, test } from 'vitest'
import { openShop } from '../support/shop.ts'

test('a browser whose file is refused for a while is led to the page, which says so', async () => {
  const shop = await openShop({ settings: { LIMITS: 'on', LIMIT_CHANGES: '5' } })
  onTestFinished(() => shop.close())
  const [mila, ana] = [await shop.signUp('mila'), await shop.signUp('ana')]
  const { id } = await shop.list(mila)
  await ana.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  expect((await ana.post('/api/orders/checkout')).status).toBe(201)
  const html = { accept: 'text/html,*/*' }
  for (const [file, page] of [
    [
      '/api/sales/export.csv?from=2026-01-01&to=2026-02-01',
      '/sold?from=2026-01-01&to=2026-02-01&export=later',
    ],
    ['/api/listings/export.csv', '/your-listings?done=later'],
    ['/api/listings/export.zip', '/your-listings?done=later'],
  ] as const) {
    for (let n = 0; n < 5; n++) await mila.get(file)
    expect((await mila.get(file)).status).toBe(429)
    const { status, headers } = await mila.get(file, html)
    expect([file, status, headers.location]).toEqual([file, 303, page])
    expect((await mila.get(page, html)).body).toContain(
      'The file cannot be made just now. Please try again later',
    )
  }
})
