import { expect, test } from 'vitest'
import { queueLimits } from './load-shedding.ts'

test.each([
  [1, 1, 32, Number.POSITIVE_INFINITY],
  [1, 8, 32, Number.POSITIVE_INFINITY],
  [4, 8, 32, Number.POSITIVE_INFINITY],
  [2, 2, 16, 500],
  [4, 2, 8, 500],
  [16, 2, 2, 500],
])('%i processes on %i cores run %i requests at once each', (processes, cores, maxRunning, standingDelay) => {
  const waiting = { cheap: 240, costly: 180 }
  expect(queueLimits(processes, cores)).toMatchObject({ maxRunning, waiting, standingDelay })
})
