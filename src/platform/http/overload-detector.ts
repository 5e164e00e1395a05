import { performance } from 'node:perf_hooks'

/** Milliseconds from one look at it to the next. */
const LOOK_MS = 50
/** A round of the event loop may take this long, milliseconds: those who are inside need several of them. */
const ROUND_MS = 25
/** Of the time in which it has something to do, a process that is not crowded out has a core for this part. */
const PART = 0.7

/**
 * Tells whether this process cannot keep up: its rounds are long, or it has a core for too little of the time in which it has
 * something to do, because others on this machine want it too, the database and its own siblings among them.
 * @returns takes the milliseconds of each round, and answers now and then, else undefined
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
