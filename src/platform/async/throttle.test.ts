import { afterEach, expect, test, vi } from 'vitest'
import { throttle } from './throttle.ts'

afterEach(() => vi.useRealTimers())

test('the first call of an interval is made, the others are dropped', () => {
  vi.useFakeTimers()
  const calls: number[] = []
  const write = throttle(1_000, (n: number) => calls.push(n))
  for (const n of [1, 2, 3]) write(n)
  vi.advanceTimersByTime(999)
  write(4)
  vi.advanceTimersByTime(1)
  write(5)
  write(6)
  expect(calls).toEqual([1, 5])
})
