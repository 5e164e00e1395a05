import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

test('calls during a run share the next one', async () => {
  const runs: PromiseWithResolvers<number>[] = []
  const call = coalesce(() => {
    const run = Promise.withResolvers<number>()
    runs.push(run)
    return run.promise
  })
  const first = [call(), call()]
  await setImmediate()
  expect(runs).toHaveLength(1)
  const second = [call(), call(), call()]
  await setImmediate()
  expect(runs).toHaveLength(1)
  runs[0]?.resolve(1)
  expect(await Promise.all(first)).toEqual([1, 1])
  await setImmediate()
  expect(runs).toHaveLength(2)
  runs[1]?.resolve(2)
  expect(await Promise.all(second)).toEqual([2, 2, 2])
})

test('a failed run fails its calls alone', async () => {
  let runs = 0
  const call = coalesce(async () => {
    runs++
    if (runs === 1) throw new Error('The first fails')
    return runs
  })
  const first = [call(), call()].map(failed => expect(failed).rejects.toThrow('The first fails'))
  await setImmediate()
  expect(await call()).toBe(2)
  await Promise.all(first)
})
