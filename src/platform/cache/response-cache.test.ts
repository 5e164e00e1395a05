import { expect, test, vi } from 'vitest'
import { countingLoader, deferredLoad, listeningCache } from '../../../test/support/cache-harness.ts'
import { soon } from '../../../test/support/expect.ts'
import { ResponseCache } from './response-cache.ts'

const own = listeningCache()

const oneByte = () => ({ bytes: 1 })

test('a loaded response is cached', async () => {
  const { get, load } = countingLoader(own.cache)
  expect(await get('a')).toBe('a 1')
  expect(await get('a')).toBe('a 1')
  expect(await get('b')).toBe('b 2')
  expect(load).toHaveBeenCalledTimes(2)
})

test('concurrent requests share one load', async () => {
  const { load, finish } = deferredLoad()
  const responses = Promise.all([
    own.cache.getOrLoad('a', load, oneByte),
    own.cache.getOrLoad('a', load, oneByte),
  ])
  finish('here')
  expect(await responses).toEqual(['here', 'here'])
  expect(load).toHaveBeenCalledTimes(1)
})

test('a failed load is not cached', async () => {
  const failing = vi.fn(() => Promise.reject(new Error('no')))
  await expect(own.cache.getOrLoad('a', failing, oneByte)).rejects.toThrow('no')
  expect(await countingLoader(own.cache).get('a')).toBe('a 1')
})

test('a notification from another process clears the cache', async () => {
  const { get } = countingLoader(own.cache)
  await get('a')
  await get('b')
  await own.database.pool.query('notify changed')
  await vi.waitFor(async () => expect(await get('a')).not.toBe('a 1'), soon)
  expect(await get('b')).not.toBe('b 2')
})

test('a change notifies at commit, not before', async () => {
  const { get } = countingLoader(own.cache)
  const seller = `insert into users (username, email, first_name, last_name, password_hash)
    values ('mira', 'mira@example.com', 'Mira', 'Weaver', '-') returning id`
  const { rows } = await own.database.pool.query<{ id: number }>(seller)
  await get('a')
  const writer = await own.database.pool.connect()
  const listing = `insert into products (seller_id, name, category, description, price_cents)
    values (${rows[0]?.id}, 'Mug', 'Home & Living', 'Holds tea.', 100)`
  await writer.query(`begin; ${listing}`)
  await own.cache.sync()
  expect(await get('a')).toBe('a 1')
  await writer.query('commit')
  writer.release()
  await vi.waitFor(async () => expect(await get('a')).not.toBe('a 1'), soon)
})

test('a load that began before an invalidation answers its callers, and is not cached', async () => {
  const { load, finish } = deferredLoad()
  const early = own.cache.getOrLoad('a', load, oneByte)
  own.cache.invalidateAll()
  const { get } = countingLoader(own.cache)
  expect(await get('a')).toBe('a 1')
  finish('old')
  expect(await early).toBe('old')
  expect(await get('a')).toBe('a 1')
})

test('a load that fails after an invalidation does not evict the newer one', async () => {
  const { promise, reject } = Promise.withResolvers<string>()
  const early = own.cache.getOrLoad('a', () => promise, oneByte)
  own.cache.invalidateAll()
  const { get } = countingLoader(own.cache)
  await get('a')
  reject(new Error('no'))
  await expect(early).rejects.toThrow('no')
  expect(await get('a')).toBe('a 1')
})

test('before it listens nothing is cached', async () => {
  const { load } = countingLoader(own.cache)
  const unsubscribed = new ResponseCache()
  await unsubscribed.getOrLoad('a', () => load('a'), oneByte)
  await unsubscribed.getOrLoad('a', () => load('a'), oneByte)
  expect(load).toHaveBeenCalledTimes(2)
})
