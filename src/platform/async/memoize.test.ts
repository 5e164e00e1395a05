import { expect, test } from 'vitest'
import { memoize } from './memoize.ts'

test('concurrent callers share one load', async () => {
  let loads = 0
  const load = memoize(async () => ++loads)
  expect(await Promise.all([load(), load()])).toEqual([1, 1])
  expect(await load()).toBe(1)
})

test('a failed load is retried by the next caller', async () => {
  let loads = 0
  const load = memoize(async () => {
    if (++loads === 1) throw new Error('too many open files')
    return loads
  })
  const both = await Promise.allSettled([load(), load()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await load()).toBe(2)
})
