import { useEffect, useState } from 'react'

/** Shows each new value for `milliseconds`, then undefined again. A value is new when it is another object. */
export function useTransient<T extends object>(value: T | undefined, milliseconds: number): T | undefined {
  const [over, setOver] = useState<T>()
  useEffect(() => {
    if (value === undefined) return
    const timer = setTimeout(() => setOver(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return value === over ? undefined : value
}
