import { once } from 'node:events'
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { countingLoader, listeningCache } from '../../../test/support/cache-harness.ts'
import { soon } from '../../../test/support/expect.ts'
import { createClient, type OpenPool, openPool } from '../database/database.ts'
import { ResponseCache } from './response-cache.ts'

/** Another process, which listens: `own.cache`. */
const own = listeningCache()
/** This process, and its pool. */
let cache: ResponseCache
let pool: OpenPool
/** A connection that receives all notifications. */
let subscriber: ReturnType<typeof createClient>
let received: string[]

beforeEach(async () => {
  const { connection } = own.database
  cache = new ResponseCache()
  pool = openPool(connection, 3, {}, () => cache.publish())
  await cache.listen(connection)
  received = []
  subscriber = createClient(connection)
  await subscriber.connect()
  subscriber.on('notification', ({ channel }) => received.push(channel))
  await subscriber.query('listen changed')
})
afterEach(async () => {
  vi.useRealTimers()
  await pool.close()
  await Promise.all([cache.close(), subscriber.end()])
})

/** Notifications so far. */
async function notifications(): Promise<string[]> {
  await subscriber.query('')
  return received.splice(0)
}
/** Changes nothing, but counts as a change. */
const CHANGE = 'update products set name = name where false'

test('a transaction that changes something does not notify; its process does, after the commit', async () => {
  const before = cache.epoch
  const client = await pool.pool.connect()
  await client.query('begin')
  await client.query(CHANGE)
  await client.query('commit')
  expect([cache.epoch, await notifications()]).toEqual([before, []])
  client.release()
  // Its own cache is cleared at once.
  expect(cache.epoch).toBe(before! + 1)
  await cache.published()
  expect(await notifications()).toEqual(['changed'])
  expect(cache.epoch).toBe(before! + 1)
  await pool.pool.query('select 1 from products')
  expect([cache.published(), await notifications()]).toEqual([undefined, []])
})

test('a change from outside, or by the previous version, notifies with the commit', async () => {
  const before = cache.epoch
  await own.database.pool.query(CHANGE)
  expect(await notifications()).toEqual(['changed'])
  await cache.sync()
  expect(cache.epoch).toBe(before! + 1)
})

test('an acknowledged change has reached every other process after a sync', async () => {
  const { get } = countingLoader(own.cache)
  for (let change = 0; change < 200; change++) {
    const before = await get('a')
    await pool.pool.query(CHANGE)
    await cache.published()
    await own.cache.sync()
    expect(await get('a')).not.toBe(before)
  }
})

test('concurrent changes share a notification', async () => {
  const change = () => {
    for (let n = 0; n < 100; n++) cache.publish()
  }
  change()
  // The first one is under way now.
  await Promise.resolve()
  change()
  await cache.published()
  expect(await notifications()).toEqual(['changed', 'changed'])
})

test('a change while the listening connection is lost is published all the same', async () => {
  const lost = () =>
    own.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = $1 and application_name = 'shop, listening'`,
      [own.database.name],
    )
  await lost()
  await vi.waitFor(() => expect(cache.epoch).toBeUndefined(), soon)
  await notifications()
  await pool.pool.query(CHANGE)
  await cache.published()
  expect(await notifications()).toContain('changed')
})

/** A cache that listens through a proxy, in which connections can hang. */
async function openThroughProxy() {
  const { host, port } = inject('server') as { host: string; port: number }
  const server = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const ends: Socket[] = []
  const next = { hangs: 0 }
  const proxy = createServer(socket => {
    ends.push(socket)
    if (next.hangs-- > 0) return
    const upstream = connectSocket(server)
    ends.push(upstream)
    socket.pipe(upstream).pipe(socket)
    for (const end of [socket, upstream]) end.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const through = new ResponseCache()
  await through.listen({
    ...own.database.connection,
    host: '127.0.0.1',
    port: (proxy.address() as AddressInfo).port,
  } as never)
  const hang = () => {
    for (const end of ends) end.unpipe().pause()
  }
  const close = async () => {
    for (const end of ends) end.destroy()
    await through.close()
    proxy.close()
  }
  return { through, next, hang, close }
}

test('changes are published again once the listening connection is back, also if another one has hung', async () => {
  const { through, next, close } = await openThroughProxy()
  await own.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = $1 and application_name = 'shop, listening'`,
    [own.database.name],
  )
  await vi.waitFor(() => expect(through.epoch).toBeUndefined(), soon)
  // The connection for this notification hangs; the next one listens again meanwhile.
  next.hangs = 1
  through.publish()
  const hung = through.published()
  await vi.waitFor(() => expect(through.epoch).toBeDefined(), soon)
  await hung
  await notifications()
  through.publish()
  await through.published()
  expect(await notifications()).toEqual(['changed'])
  await close()
})

test('a request that waits for the cache while a notification times out does not wait again', async () => {
  const { through, hang, close } = await openThroughProxy()
  expect(await through.sync()).toBe(true)
  hang()
  through.publish()
  // Its own timeout comes later than that of the notification.
  await sleep(100)
  await expect(through.sync()).rejects.toThrow(/terminated|timeout/)
  await close()
})

test('a request that waits for the end of a sync that times out does not wait again', async () => {
  const { through, hang, close } = await openThroughProxy()
  expect(await through.sync()).toBe(true)
  hang()
  const first = through.sync()
  // Now the first one is on its way, so this one waits for its end.
  await sleep(100)
  const second = through.sync()
  await expect(first).rejects.toThrow(/timeout/)
  await expect(second).rejects.toThrow(/timeout/)
  await close()
})

test('a cached response is at most a minute old', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const old = new ResponseCache()
  await old.listen(own.database.connection)
  const { get } = countingLoader(old)
  const response = await get('a')
  expect(await get('a')).toBe(response)
  vi.advanceTimersByTime(60_000)
  expect(await get('a')).not.toBe(response)
  await old.close()
})
