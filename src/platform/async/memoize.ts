/** Memoizes an async function without parameters. A failed call is not memoized: the next call tries again. */
export function memoize<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch(error => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
