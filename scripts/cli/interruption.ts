/**
 * Handles SIGINT, SIGTERM and SIGHUP: they abort the returned signal instead of ending the process, which would leave
 * files behind. A second signal has no effect, since npm may forward each signal.
 * @param message the error with which the signal is aborted
 */
export function handleInterruption(message: string): Disposable & { signal: globalThis.AbortSignal } {
  const stop = new AbortController()
  const interrupt = () => stop.abort(new Error(message))
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of names) process.on(name, interrupt)
  return {
    signal: stop.signal,
    [Symbol.dispose]() {
      for (const name of names) process.off(name, interrupt)
    },
  }
}
