import { useEffect, useState } from 'react'

/** Long enough to read a sentence, ms. */
const MESSAGE_MS = 5_000

/** Shows each new value for `milliseconds`, then undefined. Values are compared by identity. */
export function useTransient<T extends object>(
  value: T | undefined,
  milliseconds: number = MESSAGE_MS,
): T | undefined {
  const [ended, setEnded] = useState<T>()
  useEffect(() => {
    if (value === undefined) return
    const timer = setTimeout(() => setEnded(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return value === ended ? undefined : value
}
