import { expect, test, vi } from 'vitest'
import type { Database } from './database.ts'
import { together } from './together.ts'

const [here, elsewhere] = [{}, {}] as [Database, Database]

test('who asks in the same round shares a statement, and everybody is told their own', async () => {
  const ask = vi.fn(async (_: Database, keys: string[]) => new Map(keys.map(key => [key, `of ${key}`])))
  const one = together(ask)
  expect(await Promise.all([one(here, 'ana'), one(here, 'ben'), one(here, 'ana')])).toEqual([
    'of ana',
    'of ben',
    'of ana',
  ])
  expect(ask.mock.calls).toEqual([[here, ['ana', 'ben']]])
})

test('who asks later, or another database, is asked for anew', async () => {
  const ask = vi.fn(async (db: Database, keys: string[]) => new Map(keys.map(key => [key, db === here])))
  const one = together(ask)
  expect(await Promise.all([one(here, 'ana'), one(elsewhere, 'ana')])).toEqual([true, false])
  expect(await one(here, 'ana')).toBe(true)
  expect(ask).toHaveBeenCalledTimes(3)
})

test('what is not found is undefined, and a failure is everybody’s, once', async () => {
  const ask = vi.fn(async () => new Map<string, string>())
  const one = together(ask)
  expect(await one(here, 'nobody')).toBeUndefined()
  ask.mockRejectedValueOnce(new Error('gone'))
  const [ana, ben] = await Promise.allSettled([one(here, 'ana'), one(here, 'ben')])
  expect([ana.status, ben.status]).toEqual(['rejected', 'rejected'])
  expect(await one(here, 'ana')).toBeUndefined()
})
