import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { times } from '../../../test/expect.ts'
import { asker, slowly } from '../../../test/kept.ts'
import { onServer } from '../../../test/setup.ts'
import { connect } from '../database/database.ts'
import { Kept } from './kept.ts'

const server = inject('server')
const name = `shop_${randomUUID().replaceAll('-', '')}`
const own = { ...server, database: name } as never
let elsewhere: ReturnType<typeof connect>
let kept: Kept

beforeAll(async () => {
  await onServer(server, `create database ${name} template ${inject('template')}`)
  elsewhere = connect(own, 1)
})
afterAll(async () => {
  await elsewhere.close()
  await onServer(server, `drop database if exists ${name} with (force)`)
})
beforeEach(async () => {
  kept = new Kept()
  await kept.listen(own)
})
afterEach(() => kept.close())

const one = () => ({ bytes: 1 })

test('what was loaded once is kept', async () => {
  const { get, load } = asker(kept)
  expect(await get('a')).toBe('a 1')
  expect(await get('a')).toBe('a 1')
  expect(await get('b')).toBe('b 2')
  expect(load).toHaveBeenCalledTimes(2)
})

test('those who ask at the same time share one load', async () => {
  const { load, finish } = slowly()
  const answers = Promise.all([kept.get('a', load, one), kept.get('a', load, one)])
  finish('here')
  expect(await answers).toEqual(['here', 'here'])
  expect(load).toHaveBeenCalledTimes(1)
})

test('a load that fails is not kept', async () => {
  const failing = vi.fn(() => Promise.reject(new Error('no')))
  await expect(kept.get('a', failing, one)).rejects.toThrow('no')
  expect(await asker(kept).get('a')).toBe('a 1')
})

test('a word from another process drops everything', async () => {
  const { get } = asker(kept)
  await get('a')
  await get('b')
  await elsewhere.pool.query('notify changed')
  await vi.waitFor(async () => expect(await get('a')).not.toBe('a 1'))
  expect(await get('b')).not.toBe('b 2')
})

test('whoever asks to be caught up reads nothing older than what was committed before', async () => {
  const { get } = asker(kept)
  let unheard = 0
  for (let change = 0; change < 300; change++) {
    const before = await get('a')
    await elsewhere.pool.query('notify changed')
    // Often its word is still on the way at this moment: then the old answer is given.
    if ((await get('a')) === before) unheard++
    expect(await Promise.all([kept.caughtUp(), kept.caughtUp()])).toEqual([true, true])
    expect(await get('a')).not.toBe(before)
  }
  expect(unheard).toBeGreaterThan(0)
})

test('who comes while one is catching up is not taken along: the change may be younger', async () => {
  const first = kept.caughtUp()
  const { get } = asker(kept)
  const old = await get('a')
  const change = elsewhere.pool.query('notify changed').then(async () => {
    await kept.caughtUp()
    expect(await get('a')).not.toBe(old)
  })
  await Promise.all([first, change])
})

test('where nothing is heard there is nothing to catch up with, and nothing is kept', async () => {
  const deaf = new Kept()
  expect(await deaf.caughtUp()).toBe(false)
  await kept.close()
  expect(await kept.caughtUp()).toBe(false)
})

test('a connection that is lost while somebody catches up gives no kept answer', async () => {
  const catching = times(20, () => kept.caughtUp())
  await elsewhere.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
    [name],
  )
  await catching
  await vi.waitFor(async () => expect(await kept.caughtUp()).toBe(false))
  await vi.waitFor(async () => expect(await kept.caughtUp()).toBe(true), { timeout: 3_000 })
})

test('a process that is alone asks nobody', async () => {
  const only = new Kept({ alone: true })
  expect(await only.caughtUp()).toBe(true)
})

test('a change is told when it is committed, and not before', async () => {
  const { get } = asker(kept)
  const seller = `insert into users (username, email, first_name, last_name, password_hash)
    values ('mira', 'mira@example.com', 'Mira', 'Weaver', '-') returning id`
  const { rows } = await elsewhere.pool.query<{ id: number }>(seller)
  await get('a')
  const writer = await elsewhere.pool.connect()
  const listing = `insert into products (seller_id, name, category, description, price_cents)
    values (${rows[0]?.id}, 'Mug', 'Home & Living', 'Holds tea.', 100)`
  await writer.query(`begin; ${listing}`)
  await sleep(100)
  expect(await get('a')).toBe('a 1')
  await writer.query('commit')
  writer.release()
  await vi.waitFor(async () => expect(await get('a')).not.toBe('a 1'))
})

test('a load that began before a drop answers those who wait, and is not kept', async () => {
  const { load, finish } = slowly()
  const early = kept.get('a', load, one)
  kept.drop()
  const { get } = asker(kept)
  expect(await get('a')).toBe('a 1')
  finish('old')
  expect(await early).toBe('old')
  expect(await get('a')).toBe('a 1')
})

test('a load that fails after a drop does not take the newer one along', async () => {
  const { promise, reject } = Promise.withResolvers<string>()
  const early = kept.get('a', () => promise, one)
  kept.drop()
  const { get } = asker(kept)
  await get('a')
  reject(new Error('no'))
  await expect(early).rejects.toThrow('no')
  expect(await get('a')).toBe('a 1')
})

test('before it listens nothing is kept', async () => {
  const { load } = asker(kept)
  const deaf = new Kept()
  await deaf.get('a', () => load('a'), one)
  await deaf.get('a', () => load('a'), one)
  expect(load).toHaveBeenCalledTimes(2)
})

test('while the connection is lost nothing is kept; then it listens again by itself', async () => {
  const { get, load } = asker(kept)
  await get('a')
  await elsewhere.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'shop, listening'`,
    [name],
  )
  await vi.waitFor(async () => {
    await get('a')
    expect(load.mock.calls.length).toBeGreaterThan(1)
  })
  const calls = load.mock.calls.length
  await get('a')
  expect(load).toHaveBeenCalledTimes(calls + 1)
  await vi.waitFor(
    async () => {
      const answer = await get('a')
      expect(await get('a')).toBe(answer)
    },
    { timeout: 3_000 },
  )
  const answer = await get('a')
  await elsewhere.pool.query('notify changed')
  await vi.waitFor(async () => expect(await get('a')).not.toBe(answer))
})

/** Connections that listen; the only other one of this database asks. */
const listeners = async () => {
  const { rows } = await elsewhere.pool.query(
    'select pid from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [name],
  )
  return rows.length
}

test('closed, it keeps nothing and its connection is gone', async () => {
  const { get, load } = asker(kept)
  await get('a')
  const closed = kept.close()
  await get('a')
  expect(load).toHaveBeenCalledTimes(2)
  await closed
  await vi.waitFor(async () => expect(await listeners()).toBe(0))
})

test('closed while it connects, it leaves no connection', async () => {
  await kept.close()
  const hasty = new Kept()
  const listening = hasty.listen(own)
  await hasty.close()
  await listening
  await vi.waitFor(async () => expect(await listeners()).toBe(0))
})

test('closed while it waits to connect again, it stays closed', async () => {
  await kept.close()
  const nowhere = { host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' }
  const lonely = new Kept()
  await lonely.listen(nowhere)
  const listen = vi.spyOn(lonely, 'listen')
  await lonely.close()
  await sleep(700)
  expect(listen).not.toHaveBeenCalled()
})
