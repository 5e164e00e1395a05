import { expect, test } from 'vitest'
import { limitConcurrency } from './concurrency-limit.ts'

/** Work that ends when the test calls `finish`. */
function deferredWork() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, finish: resolve }
}

test('up to its limits work runs or queues in order, the rest is refused', async () => {
  const limited = limitConcurrency({ name: 'test', maxRunning: 1, maxWaiting: 2, busy: 'Come back later' })
  const first = deferredWork()
  const done: string[] = []
  const all = [
    limited(first.work).then(() => done.push('first')),
    limited(async () => done.push('second')),
    limited(async () => done.push('third')),
  ]
  await expect(limited(async () => done.push('never'))).rejects.toMatchObject({
    status: 503,
    message: 'Come back later',
    retryAfter: 5,
  })
  expect(done).toEqual([])
  first.finish()
  await Promise.all(all)
  expect(done.toSorted()).toEqual(['first', 'second', 'third'])
  expect(done.indexOf('second')).toBeLessThan(done.indexOf('third'))
})

test('failed work frees its slot', async () => {
  const limited = limitConcurrency({ name: 'test', maxRunning: 1, maxWaiting: 5, busy: 'Come back later' })
  const failing = limited(() => Promise.reject(new Error('no')))
  const next = limited(async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
  expect(await limited(async () => 'again')).toBe('again')
})
