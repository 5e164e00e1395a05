import { EventEmitter } from 'node:events'

/** Work that is announced within this time is one call. By then the transaction that has stored it has committed, ms. */
const COMMITTED_MS = 500

const events = new EventEmitter<{ work: [job: string] }>()

/**
 * Says that this process stores work for a job, which then starts soon. It may be said shortly before the commit. Nothing is
 * lost where nobody listens: a job also runs at its times.
 * @param job its name
 */
export const announceWork = (job: string): void => void events.emit('work', job)

/** Calls back with the name of a job for which this process has stored work. @returns a function that ends that */
export function onWork(wake: (job: string) => void): () => void {
  const timers = new Map<string, NodeJS.Timeout>()
  const later = (job: string) => {
    if (timers.has(job)) return
    const start = () => {
      timers.delete(job)
      wake(job)
    }
    timers.set(job, setTimeout(start, COMMITTED_MS))
  }
  events.on('work', later)
  return () => {
    events.off('work', later)
    for (const timer of timers.values()) clearTimeout(timer)
  }
}
