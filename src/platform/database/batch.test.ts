import { expect, test, vi } from 'vitest'
import { batchLookups } from './batch.ts'
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
