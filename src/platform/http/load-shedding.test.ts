import { expect, test } from 'vitest'
import { queueLimits } from './load-shedding.ts'

test.each([
  [1, 1, 32, 240, 180],
  [1, 2, 32, 240, 180],
  [1, 8, 32, 240, 180],
  [4, 8, 32, 240, 180],
  [2, 2, 16, 180, 135],
  [4, 2, 8, 90, 67.5],
  [16, 2, 2, 22.5, 20],
])('%i processes on %i cores run %i requests at once each', (processes, cores, maxRunning, cheap, costly) => {
  expect(queueLimits(processes, cores)).toMatchObject({ maxRunning, waiting: { cheap, costly } })
})
