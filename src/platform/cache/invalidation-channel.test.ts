import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { countingLoader, listeningCache } from '../../../test/support/cache-harness.ts'
import { soon, times } from '../../../test/support/expect.ts'
import { ResponseCache } from './response-cache.ts'

const own = listeningCache()

test('sync guarantees responses that include all commits before it', async () => {
  const { get } = countingLoader(own.cache)
  let stale = 0
  for (let change = 0; change < 300; change++) {
    const before = await get('a')
    await own.database.pool.query('notify changed')
    // Often the notification is still on its way, and the response is old.
    if ((await get('a')) === before) stale++
    expect(await Promise.all([own.cache.sync(), own.cache.sync()])).toEqual([true, true])
    expect(await get('a')).not.toBe(before)
  }
  expect(stale).toBeGreaterThan(0)
})

test('a request during a sync starts another one: the change may be newer', async () => {
  const first = own.cache.sync()
  const { get } = countingLoader(own.cache)
  const old = await get('a')
  const change = own.database.pool.query('notify changed').then(async () => {
    await own.cache.sync()
    expect(await get('a')).not.toBe(old)
  })
  await Promise.all([first, change])
})

test('without a listener there is no sync and no cache', async () => {
  const unsubscribed = new ResponseCache()
  expect(await unsubscribed.sync()).toBe(false)
  await own.cache.close()
  expect(await own.cache.sync()).toBe(false)
})

test('a connection lost during a sync returns no cached response', async () => {
  const syncs = times(20, () => own.cache.sync())
  await own.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
    [own.database.name],
  )
  await syncs
  await vi.waitFor(async () => expect(await own.cache.sync()).toBe(false), soon)
  await vi.waitFor(async () => expect(await own.cache.sync()).toBe(true), soon)
})

test('while the connection is lost nothing is cached; then it reconnects', async () => {
  const { get, load } = countingLoader(own.cache)
  await get('a')
  await own.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'shop, listening'`,
    [own.database.name],
  )
  await vi.waitFor(async () => {
    await get('a')
    expect(load.mock.calls.length).toBeGreaterThan(1)
  }, soon)
  const calls = load.mock.calls.length
  await get('a')
  expect(load).toHaveBeenCalledTimes(calls + 1)
  await vi.waitFor(async () => {
    const response = await get('a')
    expect(await get('a')).toBe(response)
  }, soon)
  const response = await get('a')
  await own.database.pool.query('notify changed')
  await vi.waitFor(async () => expect(await get('a')).not.toBe(response), soon)
})

/** Listening connections in this database. */
const listeners = async () => {
  const { rows } = await own.database.pool.query(
    'select pid from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [own.database.name],
  )
  return rows.length
}

test('after closing, nothing is cached and the connection is closed', async () => {
  const { get, load } = countingLoader(own.cache)
  await get('a')
  const closed = own.cache.close()
  await get('a')
  expect(load).toHaveBeenCalledTimes(2)
  await closed
  await vi.waitFor(async () => expect(await listeners()).toBe(0), soon)
})

test('closing during a connect leaves no connection', async () => {
  await own.cache.close()
  const connecting = new ResponseCache()
  const listening = connecting.listen(own.database.connection)
  await connecting.close()
  await listening
  await vi.waitFor(async () => expect(await listeners()).toBe(0), soon)
})

test('closing during a reconnect pause stays closed', async () => {
  let calls = 0
  const refusing = createServer(socket => {
    calls++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  const { port } = refusing.address() as AddressInfo
  const reconnecting = new ResponseCache()
  await reconnecting.listen({ host: '127.0.0.1', port, user: 'nobody', database: 'none' })
  await vi.waitFor(() => expect(calls).toBe(2), soon)
  await reconnecting.close()
  // Nothing must happen: longer than it waits before it connects again.
  await sleep(700)
  expect(calls).toBe(2)
  refusing.close()
})
