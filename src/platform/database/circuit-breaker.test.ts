import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { soon } from '../../../test/support/expect.ts'
import { withCircuitBreaker } from './circuit-breaker.ts'
import { isUnavailable } from './database-errors.ts'
import { ObservedClient } from './observed-client.ts'

/** Accepts connections and never responds, like a hung database. */
const silent = createServer(socket => sockets.push(socket))
const sockets: Socket[] = []
const query = (client: unknown, text: string) => (client as pg.PoolClient).query(text)
beforeAll(() => once(silent.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  silent.close()
})

test('after one timeout the circuit opens: other requests fail at once, and a probe is repeated', async () => {
  const { port } = silent.address() as AddressInfo
  const pool = withCircuitBreaker(
    new pg.Pool({ Client: ObservedClient, host: '127.0.0.1', port, connectionTimeoutMillis: 100, max: 5 }),
  )
  const refused = () => pool.connect().then(() => 'connected', isUnavailable)
  expect(await refused()).toBe(true)
  expect(await Promise.all([refused(), refused()])).toEqual([true, true])
  expect(sockets).toHaveLength(1)
  await vi.waitFor(() => expect(sockets).toHaveLength(3), soon)
  // Fails at once, also during a probe.
  const began = sockets.length
  expect(await refused()).toBe(true)
  expect(sockets).toHaveLength(began)
  await pool.end()
  // Nothing must happen: longer than the pause between two tries.
  await new Promise(resolve => setTimeout(resolve, 1_200))
  expect(sockets).toHaveLength(began)
})

test('a slow database does not open the circuit', async () => {
  const own = new pg.Pool({
    Client: ObservedClient,
    ...inject('server'),
    connectionTimeoutMillis: 2_000,
    max: 1,
  })
  const pool = withCircuitBreaker(own)
  const busy = await pool.connect()
  await expect(pool.connect()).rejects.toThrow('timeout exceeded when trying to connect')
  busy.release()
  const next = await pool.connect()
  next.release()
  await pool.end()
})

test('the first response closes the circuit', async () => {
  const own = new pg.Pool({ Client: ObservedClient, ...inject('server'), query_timeout: 300, max: 5 })
  const pool = withCircuitBreaker(own)
  const [one, other] = [await pool.connect(), await pool.connect()]
  await expect(query(one, 'select pg_sleep(2)')).rejects.toThrow('Query read timeout')
  one.release()
  await expect(pool.connect()).rejects.toThrow('timeout: the database does not respond')
  // A refusal is a response.
  await expect(query(other, 'select nothing')).rejects.toThrow('does not exist')
  other.release()
  const next = await pool.connect()
  next.release()
  await pool.end()
})

test('an error of an ended connection does not close the circuit', async () => {
  const own = new pg.Pool({ Client: ObservedClient, ...inject('server'), query_timeout: 300, max: 5 })
  const pool = withCircuitBreaker(own)
  const one = await pool.connect()
  await query(one, 'begin')
  await expect(query(one, 'select pg_sleep(2)')).rejects.toThrow('Query read timeout')
  // As a transaction does that has failed.
  await expect(query(one, 'rollback')).rejects.toThrow('not queryable')
  one.release()
  await expect(pool.connect()).rejects.toThrow('timeout: the database does not respond')
  await pool.end()
})

test('requests that wait for a connection fail when the circuit opens', async () => {
  const own = new pg.Pool({
    Client: ObservedClient,
    ...inject('server'),
    query_timeout: 300,
    connectionTimeoutMillis: 60_000,
    max: 1,
  })
  const pool = withCircuitBreaker(own)
  const one = await pool.connect()
  const waiting = pool.connect()
  await expect(query(one, 'select pg_sleep(2)')).rejects.toThrow('Query read timeout')
  await expect(waiting).rejects.toThrow('timeout: the database does not respond')
  one.release()
  const next = await vi.waitFor(() => pool.connect(), soon)
  expect((await query(next, 'select 1 as n')).rows).toEqual([{ n: 1 }])
  next.release()
  await pool.end()
})
