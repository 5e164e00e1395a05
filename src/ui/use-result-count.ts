import { useState } from 'react'

/**
 * How many results have come since the first render. As the key of a form it makes a new, empty one for each.
 * @param result undefined without one, which does not count
 */
export function useResultCount(result: object | undefined): number {
  const [last, setLast] = useState(result)
  const [count, setCount] = useState(0)
  if (result && result !== last) {
    setLast(result)
    setCount(count + 1)
  }
  return count
}
