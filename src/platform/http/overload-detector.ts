import { performance } from 'node:perf_hooks'

/** Interval between two measurements, milliseconds. */
const LOOK_MS = 50
/** Longest round of the event loop without overload, milliseconds. A request needs several rounds. */
const ROUND_MS = 25
/** Share of its active time in which a process without overload runs on a core. */
const PART = 0.7

/**
 * Detects whether this process is overloaded: the rounds of the event loop are long, or the process is active and gets too
 * little CPU time, because other processes on this machine (the database, other workers) use the cores.
 * @returns a function to call with the duration of each round, milliseconds. It returns a result every 50 ms, otherwise undefined
 */
export function detectOverload(): (round: number) => boolean | undefined {
  let since = performance.now()
  let longest = 0
  let utilization = performance.eventLoopUtilization()
  let cpu = process.cpuUsage()
  return round => {
    longest = Math.max(longest, round)
    const now = performance.now()
    if (now - since < LOOK_MS) return undefined
    const { active } = performance.eventLoopUtilization(utilization)
    const { user, system } = process.cpuUsage(cpu)
    const behind = longest > ROUND_MS || (user + system) / 1_000 < PART * active
    since = now
    longest = 0
    utilization = performance.eventLoopUtilization()
    cpu = process.cpuUsage()
    return behind
  }
}
