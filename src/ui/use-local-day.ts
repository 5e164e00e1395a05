import { useHydrated } from './use-hydrated.ts'

const two = (number: number) => String(number).padStart(2, '0')

/** Today where the reader is, as YYYY-MM-DD; before hydration the given day, which is the server's. */
export function useLocalDay(serverDay: string): string {
  const isHydrated = useHydrated()
  const now = new Date()
  return isHydrated ? `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}` : serverDay
}
