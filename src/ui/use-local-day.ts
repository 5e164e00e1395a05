import { useSyncExternalStore } from 'react'

const never = () => () => {}
const two = (number: number) => String(number).padStart(2, '0')

/** Today where the reader is, as YYYY-MM-DD; before scripts the given day, which is the server's. */
export const useLocalDay = (serverDay: string): string =>
  useSyncExternalStore(
    never,
    () => {
      const now = new Date()
      return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
    },
    () => serverDay,
  )
