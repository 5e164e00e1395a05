import { expect, test } from 'vitest'
import { limitConcurrency } from './concurrency-limit.ts'

/** Work that ends when it is told to. */
function slowly() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, finish: resolve }
}

test('up to its limits work runs or queues in order, the rest is refused', async () => {
  const inTurn = limitConcurrency({ name: 'test', atOnce: 1, waiting: 2, busy: 'Come back later' })
  const first = slowly()
  const done: string[] = []
  const all = [
    inTurn(first.work).then(() => done.push('first')),
    inTurn(async () => done.push('second')),
    inTurn(async () => done.push('third')),
  ]
  await expect(inTurn(async () => done.push('never'))).rejects.toMatchObject({
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
  const inTurn = limitConcurrency({ name: 'test', atOnce: 1, waiting: 5, busy: 'Come back later' })
  const failing = inTurn(() => Promise.reject(new Error('no')))
  const next = inTurn(async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
  expect(await inTurn(async () => 'again')).toBe('again')
})
