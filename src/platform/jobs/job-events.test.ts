import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { onJobRequested, requestJobRun } from './job-events.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The jobs that are woken from now on. */
function wokenJobs(): string[] {
  const woken: string[] = []
  onTestFinished(onJobRequested(job => void woken.push(job)))
  return woken
}

test('work that is announced together wakes its job once soon, and once more for a late commit', () => {
  const woken = wokenJobs()
  for (let n = 0; n < 10; n++) requestJobRun('letters')
  requestJobRun('exports')
  expect(woken).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(woken).toEqual(['letters', 'exports'])
  // A statement may take 4.5 seconds.
  vi.advanceTimersByTime(4_000)
  expect(woken).toHaveLength(2)
  vi.advanceTimersByTime(2_000)
  expect(woken).toEqual(['letters', 'exports', 'letters', 'exports'])
  vi.advanceTimersByTime(60_000)
  expect(woken).toHaveLength(4)
})

test('nothing is woken after the jobs have stopped', () => {
  const woken: string[] = []
  const stop = onJobRequested(job => void woken.push(job))
  requestJobRun('letters')
  stop()
  requestJobRun('letters')
  vi.advanceTimersByTime(60_000)
  expect(woken).toEqual([])
})
