import { EventEmitter } from 'node:events'

/**
 * A job is woken so long after its work was announced, ms. The first time collects what is announced together, and by then its
 * transaction has nearly always committed; the second time also that of a busy machine, on which statements take up to 4.5 s.
 */
const WAKES_MS = [500, 6_000]

const events = new EventEmitter<{ work: [job: string] }>()

/**
 * Says that this process stores work for a job, which then starts soon. It may be said shortly before the commit. Nothing is
 * lost where nobody listens: a job also runs at its times.
 * @param job its name
 */
export const requestJobRun = (job: string): void => void events.emit('work', job)

/** Calls back with the name of a job for which this process has stored work. @returns a function that ends that */
export function onJobRequested(wake: (job: string) => void): () => void {
  const timers = new Map<string, NodeJS.Timeout>()
  const later = (job: string) => {
    for (const ms of WAKES_MS) {
      const key = `${job} ${ms}`
      if (timers.has(key)) continue
      const start = () => {
        timers.delete(key)
        wake(job)
      }
      timers.set(key, setTimeout(start, ms))
    }
  }
  events.on('work', later)
  return () => {
    events.off('work', later)
    for (const timer of timers.values()) clearTimeout(timer)
  }
}
