import { expect, test, vi } from 'vitest'
import { openShop } from '../../test/shop.ts'

test('a shop that can serve is alive and ready; without its database it is alive alone', async () => {
  const shop = await openShop()
  const visitor = shop.visitor()
  expect(await visitor.get('/healthz')).toMatchObject({ status: 200, body: { status: 'alive' } })
  expect(await visitor.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  const gone = vi.spyOn(shop.db, 'getExecutor').mockImplementation(() => {
    throw Object.assign(new Error('terminating connection'), { code: '57P01' })
  })
  expect((await visitor.get('/healthz')).status).toBe(200)
  const { status, headers } = await visitor.get('/readyz')
  expect(status).toBe(503)
  expect(headers['retry-after']).toBeDefined()
  gone.mockRestore()
  await shop.close()
})
