/**
 * Runs an async function one at a time. Calls during a run share the next one, which begins after each of them. A failed run
 * fails the calls that share it; the next call runs again.
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
