import { performance } from 'node:perf_hooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { detectOverload } from './overload-detector.ts'

let now = 0
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => vi.restoreAllMocks())

/** Since the last sample: ms in which the process had work, and in which it had a core. */
function spent(active: number, core: number): void {
  vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue({ active, idle: 0, utilization: 1 })
  vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 900 * core, system: 100 * core })
}

test.each([
  ['short rounds and a core whenever it needs one', 20, { active: 80, core: 80 }, false],
  ['little to do', 1, { active: 5, core: 5 }, false],
  ['long rounds', 26, { active: 80, core: 80 }, true],
  ['a core for half of the time in which it has something to do', 20, { active: 80, core: 40 }, true],
])('whether a process is behind: with %s', (_, round, { active, core }, behind) => {
  const isBehind = detectOverload()
  now += 100
  spent(active, core)
  expect(isBehind(round)).toBe(behind)
})

test('the event loop is sampled, and the longest round counts', () => {
  spent(0, 0)
  const isBehind = detectOverload()
  expect([isBehind(26), isBehind(1)]).toEqual([undefined, undefined])
  now += 51
  expect(isBehind(1)).toBe(true)
  now += 51
  expect(isBehind(1)).toBe(false)
})
