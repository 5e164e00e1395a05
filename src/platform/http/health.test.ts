import { expect, test, vi } from 'vitest'
import { times } from '../../../test/support/expect.ts'
import { openShop } from '../../../test/support/shop.ts'

test('a working shop is alive and ready; without its database it is only alive', async () => {
  const shop = await openShop()
  const visitor = shop.visitor()
  expect(await visitor.get('/healthz')).toMatchObject({ status: 200, body: { status: 'alive' } })
  expect(await visitor.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  const gone = vi.spyOn(shop.db, 'getExecutor').mockImplementation(() => {
    throw Object.assign(new Error('terminating connection'), { code: '57P01' })
  })
  // Longer than the responses are shared.
  await new Promise(over => setTimeout(over, 150))
  expect((await visitor.get('/healthz')).status).toBe(200)
  const { status, headers } = await visitor.get('/readyz')
  expect(status).toBe(503)
  expect(headers['retry-after']).toBeDefined()
  gone.mockRestore()
  await shop.close()
})

test('concurrent readiness checks share one query', async () => {
  const shop = await openShop()
  const asked = vi.spyOn(shop.db, 'getExecutor')
  const answers = await times(50, () => shop.visitor().get('/readyz'))
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
  expect(asked.mock.calls.length).toBeLessThan(10)
  await shop.close()
})
