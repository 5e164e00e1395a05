import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { onJobRequested, requestJobRun } from './job-events.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The jobs whose run is requested from now on. */
function requestedJobs(): string[] {
  const requested: string[] = []
  onTestFinished(onJobRequested(job => void requested.push(job)))
  return requested
}

test('requests of the same time run a job once soon, and once more for a late commit', () => {
  const requested = requestedJobs()
  for (let n = 0; n < 10; n++) requestJobRun('letters')
  requestJobRun('exports')
  expect(requested).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(requested).toEqual(['letters', 'exports'])
  // A statement may take 4.5 seconds.
  vi.advanceTimersByTime(4_000)
  expect(requested).toHaveLength(2)
  vi.advanceTimersByTime(2_000)
  expect(requested).toEqual(['letters', 'exports', 'letters', 'exports'])
  vi.advanceTimersByTime(60_000)
  expect(requested).toHaveLength(4)
})

test('a request while the last run waits delays it, so that a late commit of this request is covered too', () => {
  const requested = requestedJobs()
  requestJobRun('letters')
  vi.advanceTimersByTime(5_900)
  requestJobRun('letters')
  vi.advanceTimersByTime(5_900)
  expect(requested).toEqual(['letters', 'letters'])
  vi.advanceTimersByTime(200)
  expect(requested).toEqual(['letters', 'letters', 'letters'])
})

test('no job runs after the jobs have stopped', () => {
  const requested: string[] = []
  const stop = onJobRequested(job => void requested.push(job))
  requestJobRun('letters')
  stop()
  requestJobRun('letters')
  vi.advanceTimersByTime(60_000)
  expect(requested).toEqual([])
})
