import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { soon, times } from '../../../test/support/expect.ts'
import { openShop } from '../../../test/support/shop.ts'

test('a working shop is alive and ready; without its database it is only alive', async () => {
  const shop = await openShop()
  const visitor = shop.visitor()
  expect(await visitor.get('/healthz')).toMatchObject({ status: 200, body: { status: 'alive' } })
  expect(await visitor.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  const executor = vi.spyOn(shop.db, 'getExecutor').mockImplementation(() => {
    throw Object.assign(new Error('terminating connection'), { code: '57P01' })
  })
  // For a moment they share the answer of before.
  const ready = await vi.waitUntil(async () => {
    const response = await visitor.get('/readyz')
    return response.status !== 200 && response
  }, soon)
  expect(ready.status).toBe(503)
  expect(ready.headers['retry-after']).toBeDefined()
  expect((await visitor.get('/healthz')).status).toBe(200)
  executor.mockRestore()
  await shop.close()
})

test('concurrent readiness checks share one query', async () => {
  const shop = await openShop()
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const responses = await times(50, () => shop.visitor().get('/readyz'))
  expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200))
  const checks = query.mock.calls.filter(([text]) => String(text) === 'select 1')
  query.mockRestore()
  expect(checks.length).toBeGreaterThan(0)
  expect(checks.length).toBeLessThan(10)
  await shop.close()
})
