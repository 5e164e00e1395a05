import { useSyncExternalStore } from 'react'

const never = () => () => {}
/** Whether the page is hydrated. False on the server and in the first render. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
