import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { countingLoader, deferredLoad } from '../../../test/support/cache-harness.ts'
import type { ConnectionOptions } from '../database/database.ts'
import { ResponseCache } from './response-cache.ts'

let cache: ResponseCache
beforeEach(async () => {
  cache = new ResponseCache()
  await cache.listen(inject('server') as ConnectionOptions)
})
afterEach(() => cache.close())

const MB = 2 ** 20

test('the cache stays under 8 MB by evicting the least recently used', async () => {
  const { get, load } = countingLoader(cache, 2.5 * MB)
  for (const key of ['a', 'b', 'c', 'd']) await get(key)
  expect(await get('b')).toBe('b 2')
  expect(await get('d')).toBe('d 4')
  expect(load).toHaveBeenCalledTimes(4)
  expect(await get('a')).toBe('a 5')
})

test('repeated requests stay cached during a scan', async () => {
  const { get } = countingLoader(cache, 0.5 * MB)
  for (let i = 0; i < 100; i++) {
    await get(`search ${i}`)
    if (i % 10 === 0) expect(await get('landing page')).toBe('landing page 2')
  }
  expect(cache.bytes).toBeLessThanOrEqual(8 * MB)
})

test('a load without a value is shared, and not cached', async () => {
  let loads = 0
  const load = () =>
    cache.getOrLoad(
      'none',
      async () => {
        loads++
        return undefined
      },
      () => ({ bytes: 0 }),
    )
  await Promise.all([load(), load()])
  expect(loads).toBe(1)
  await load()
  expect(loads).toBe(2)
})

test('empty responses have a size too', async () => {
  const { get } = countingLoader(cache, 0)
  await get('first')
  for (let i = 0; i < 40_000; i++)
    await cache.getOrLoad(
      `nothing ${i}`,
      async () => '',
      () => ({ bytes: 0 }),
    )
  expect(await get('first')).toBe('first 2')
})

test('a slow response that arrives last does not exceed the limit', async () => {
  const { load, finish } = deferredLoad()
  const large = () => ({ bytes: 5 * MB })
  const first = cache.getOrLoad('slow', load, large)
  const { get } = countingLoader(cache, 5 * MB)
  await get('quick')
  finish('here')
  await first
  const both = [await cache.getOrLoad('slow', async () => 'again', large), await get('quick')]
  expect(both).not.toEqual(['here', 'quick 1'])
})
