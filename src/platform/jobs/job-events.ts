import { EventEmitter } from 'node:events'

/**
 * Delays between requests of a run and the two runs, ms. The first one debounces requests, and by then their transactions have
 * nearly always committed; the second one covers commits of a busy machine, on which statements take up to 4.5 s.
 */
const FIRST_MS = 500
const LAST_MS = 6_000

const events = new EventEmitter<{ requested: [job: string] }>()

/**
 * Requests that a job runs soon, because this process stores rows for it. May be called shortly before the commit. Nothing is
 * lost where nobody listens: a job also runs on its schedule.
 * @param job its name
 */
export const requestJobRun = (job: string): void => void events.emit('requested', job)

/** Calls back with the name of each job whose run this process has requested. @returns a function that ends that */
export function onJobRequested(run: (job: string) => void): () => void {
  const timers = new Map<string, NodeJS.Timeout>()
  const later = (job: string) => {
    for (const ms of [FIRST_MS, LAST_MS]) {
      const key = `${job} ${ms}`
      const pending = timers.get(key)
      // The last run is after the last request.
      if (ms === LAST_MS) pending?.refresh()
      if (pending) continue
      const start = () => {
        timers.delete(key)
        run(job)
      }
      timers.set(key, setTimeout(start, ms))
    }
  }
  events.on('requested', later)
  return () => {
    events.off('requested', later)
    for (const timer of timers.values()) clearTimeout(timer)
  }
}
