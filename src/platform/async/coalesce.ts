/**
 * Runs an async function one at a time. All calls during a run share one later run, so that each call gets a run that
 * began after it. If a run fails, the calls that share it fail; the next call runs again.
 */
export function coalesce<T>(work: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  const start = () => {
    next = undefined
    const run = work()
    current = run
    return run
  }
  return () => {
    next ??= current.then(start, start)
    return next
  }
}
