/** Calls `write` once in an interval of so many milliseconds, and drops the other calls: a log that a flood must not fill. */
export function throttle<A extends unknown[]>(
  interval: number,
  write: (...args: A) => void,
): (...args: A) => void {
  let last = Number.NEGATIVE_INFINITY
  return (...args) => {
    if (performance.now() - last < interval) return
    last = performance.now()
    write(...args)
  }
}
