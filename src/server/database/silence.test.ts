import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { isUnavailable } from './database.ts'
import { heedingSilence } from './silence.ts'

/** Takes every connection and never says a word, as a database does whose machine hangs. */
const silent = createServer(socket => asked.push(socket))
const asked: Socket[] = []
beforeAll(() => once(silent.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => {
  for (const socket of asked) socket.destroy()
  silent.close()
})

test('of a database that gives no answer one finds out, the next are told at once, and later it is asked again', async () => {
  const { port } = silent.address() as AddressInfo
  const pool = heedingSilence(new pg.Pool({ host: '127.0.0.1', port, connectionTimeoutMillis: 100, max: 5 }))
  const refused = () => pool.connect().then(() => 'connected', isUnavailable)
  expect(await refused()).toBe(true)
  expect(await Promise.all([refused(), refused()])).toEqual([true, true])
  expect(asked).toHaveLength(1)
  await vi.waitFor(
    async () => {
      expect(await refused()).toBe(true)
      expect(asked).toHaveLength(2)
    },
    { timeout: 10_000, interval: 100 },
  )
  await pool.end()
})

test('a database that is only busy is asked again at once', async () => {
  const own = new pg.Pool({ ...inject('server'), connectionTimeoutMillis: 2_000, max: 1 })
  const pool = heedingSilence(own)
  const held = await pool.connect()
  await expect(pool.connect()).rejects.toThrow('timeout exceeded when trying to connect')
  held.release()
  const next = await pool.connect()
  next.release()
  await pool.end()
})
