import { useState } from 'react'

/** Counts results: as the key of a form, it begins anew with each. @param result undefined: none, which does not count */
export function useResultCount(result: object | undefined): number {
  const [last, setLast] = useState(result)
  const [count, setCount] = useState(0)
  if (result && result !== last) {
    setLast(result)
    setCount(count + 1)
  }
  return count
}
