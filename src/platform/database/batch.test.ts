import { expect, test, vi } from 'vitest'
import { soon } from '../../../test/support/expect.ts'
import { batchLookups, createBatcher } from './batch.ts'
import type { Database } from './database.ts'

const [here, elsewhere] = [{}, {}] as [Database, Database]

test('concurrent lookups share a statement, and each gets its own result', async () => {
  const load = vi.fn(async (_: Database, keys: string[]) => new Map(keys.map(key => [key, `of ${key}`])))
  const lookup = batchLookups(load)
  expect(await Promise.all([lookup(here, 'ana'), lookup(here, 'ben'), lookup(here, 'ana')])).toEqual([
    'of ana',
    'of ben',
    'of ana',
  ])
  expect(load.mock.calls).toEqual([[here, ['ana', 'ben']]])
})

test('later lookups, and those in another database, have their own statement', async () => {
  const load = vi.fn(async (db: Database, keys: string[]) => new Map(keys.map(key => [key, db === here])))
  const lookup = batchLookups(load)
  expect(await Promise.all([lookup(here, 'ana'), lookup(elsewhere, 'ana')])).toEqual([true, false])
  expect(await lookup(here, 'ana')).toBe(true)
  expect(load).toHaveBeenCalledTimes(3)
})

test('a missing key is undefined, and does not fail the others', async () => {
  const load = vi.fn(async (_: Database, keys: string[]) => {
    if (keys.includes('ben')) throw new Error('no such text')
    return new Map(keys.filter(key => key !== 'nobody').map(key => [key, `of ${key}`]))
  })
  const lookup = batchLookups(load)
  expect(await lookup(here, 'nobody')).toBeUndefined()
  const all = await Promise.allSettled([lookup(here, 'ana'), lookup(here, 'ben'), lookup(here, 'cleo')])
  expect(all).toEqual([
    { status: 'fulfilled', value: 'of ana' },
    { status: 'rejected', reason: expect.objectContaining({ message: 'no such text' }) },
    { status: 'fulfilled', value: 'of cleo' },
  ])
  expect(load.mock.calls.slice(1).map(([, keys]) => keys)).toEqual([
    ['ana', 'ben', 'cleo'],
    ['ana'],
    ['ben'],
    ['cleo'],
  ])
})

test('while the database is away, every lookup of a batch fails, without further statements', async () => {
  const load = vi.fn(async () => new Map<string, string>())
  load.mockRejectedValueOnce(Object.assign(new Error('terminating connection'), { code: '57P01' }))
  const lookup = batchLookups(load)
  const [ana, ben] = await Promise.allSettled([lookup(here, 'ana'), lookup(here, 'ben')])
  expect([ana.status, ben.status]).toEqual(['rejected', 'rejected'])
  expect(load).toHaveBeenCalledTimes(1)
  expect(await lookup(here, 'ana')).toBeUndefined()
})

test('with one batch at a time, later lookups share the next', async () => {
  const ends: (() => void)[] = []
  const load = vi.fn(async (_: Database, requests: number[]) => {
    await new Promise<void>(end => ends.push(end))
    return requests.map(request => request * 10)
  })
  const lookup = createBatcher(load, 1)
  const first = lookup(here, 1)
  await vi.waitFor(() => expect(ends).toHaveLength(1), soon)
  const others = [lookup(here, 2), lookup(here, 3), lookup(here, 2)]
  // Queued, and none has begun.
  await new Promise(setImmediate)
  expect(load).toHaveBeenCalledTimes(1)
  ends[0]?.()
  expect(await first).toBe(10)
  await vi.waitFor(() => expect(ends).toHaveLength(2), soon)
  ends[1]?.()
  expect(await Promise.all(others)).toEqual([20, 30, 20])
  expect(load.mock.calls.map(([, requests]) => requests)).toEqual([[1], [2, 3, 2]])
})

test('a failure belongs to its batch, and the next one runs', async () => {
  const load = vi.fn(async (_: Database, requests: string[]) => requests)
  load.mockRejectedValueOnce(new Error('gone'))
  const lookup = createBatcher(load, 1)
  await expect(lookup(here, 'ana')).rejects.toThrow('gone')
  expect(await lookup(here, 'ben')).toBe('ben')
})

test('a stuck statement does not block the next batch', async () => {
  const load = vi.fn(async (_: Database, requests: string[]) => requests)
  load.mockReturnValueOnce(new Promise(() => {}))
  const lookup = createBatcher(load, 1)
  void lookup(here, 'ana')
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1), soon)
  expect(await lookup(here, 'ben')).toBe('ben')
})
