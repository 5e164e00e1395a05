import { expect, test, vi } from 'vitest'
import { soon } from '../../../test/support/expect.ts'
import { batchLookups, createBatcher } from './batch.ts'
import type { Database } from './database.ts'

const [here, elsewhere] = [{}, {}] as [Database, Database]

test('concurrent lookups share a statement, and each gets its own result', async () => {
  const ask = vi.fn(async (_: Database, keys: string[]) => new Map(keys.map(key => [key, `of ${key}`])))
  const one = batchLookups(ask)
  expect(await Promise.all([one(here, 'ana'), one(here, 'ben'), one(here, 'ana')])).toEqual([
    'of ana',
    'of ben',
    'of ana',
  ])
  expect(ask.mock.calls).toEqual([[here, ['ana', 'ben']]])
})

test('later lookups, and those in another database, have their own statement', async () => {
  const ask = vi.fn(async (db: Database, keys: string[]) => new Map(keys.map(key => [key, db === here])))
  const one = batchLookups(ask)
  expect(await Promise.all([one(here, 'ana'), one(elsewhere, 'ana')])).toEqual([true, false])
  expect(await one(here, 'ana')).toBe(true)
  expect(ask).toHaveBeenCalledTimes(3)
})

test('a missing key is undefined, and does not fail the others', async () => {
  const ask = vi.fn(async (_: Database, keys: string[]) => {
    if (keys.includes('ben')) throw new Error('no such text')
    return new Map(keys.filter(key => key !== 'nobody').map(key => [key, `of ${key}`]))
  })
  const one = batchLookups(ask)
  expect(await one(here, 'nobody')).toBeUndefined()
  const all = await Promise.allSettled([one(here, 'ana'), one(here, 'ben'), one(here, 'cleo')])
  expect(all).toEqual([
    { status: 'fulfilled', value: 'of ana' },
    { status: 'rejected', reason: expect.objectContaining({ message: 'no such text' }) },
    { status: 'fulfilled', value: 'of cleo' },
  ])
  expect(ask.mock.calls.slice(1).map(([, keys]) => keys)).toEqual([
    ['ana', 'ben', 'cleo'],
    ['ana'],
    ['ben'],
    ['cleo'],
  ])
})

test('while the database is away, every lookup of a batch fails, without further statements', async () => {
  const ask = vi.fn(async () => new Map<string, string>())
  ask.mockRejectedValueOnce(Object.assign(new Error('terminating connection'), { code: '57P01' }))
  const one = batchLookups(ask)
  const [ana, ben] = await Promise.allSettled([one(here, 'ana'), one(here, 'ben')])
  expect([ana.status, ben.status]).toEqual(['rejected', 'rejected'])
  expect(ask).toHaveBeenCalledTimes(1)
  expect(await one(here, 'ana')).toBeUndefined()
})

test('with one batch at a time, later lookups share the next', async () => {
  const ends: (() => void)[] = []
  const ask = vi.fn(async (_: Database, asked: number[]) => {
    await new Promise<void>(end => ends.push(end))
    return asked.map(one => one * 10)
  })
  const one = createBatcher(ask, 1)
  const first = one(here, 1)
  await vi.waitFor(() => expect(ends).toHaveLength(1), soon)
  const others = [one(here, 2), one(here, 3), one(here, 2)]
  // Queued, and none has begun.
  await new Promise(setImmediate)
  expect(ask).toHaveBeenCalledTimes(1)
  ends[0]?.()
  expect(await first).toBe(10)
  await vi.waitFor(() => expect(ends).toHaveLength(2), soon)
  ends[1]?.()
  expect(await Promise.all(others)).toEqual([20, 30, 20])
  expect(ask.mock.calls.map(([, asked]) => asked)).toEqual([[1], [2, 3, 2]])
})

test('a failure belongs to its batch, and the next one runs', async () => {
  const ask = vi.fn(async (_: Database, asked: string[]) => asked)
  ask.mockRejectedValueOnce(new Error('gone'))
  const one = createBatcher(ask, 1)
  await expect(one(here, 'ana')).rejects.toThrow('gone')
  expect(await one(here, 'ben')).toBe('ben')
})

test('a stuck statement does not block the next batch', async () => {
  const ask = vi.fn(async (_: Database, asked: string[]) => asked)
  ask.mockReturnValueOnce(new Promise(() => {}))
  const one = createBatcher(ask, 1)
  void one(here, 'ana')
  await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(1), soon)
  expect(await one(here, 'ben')).toBe('ben')
})
