import { useEffect, useState } from 'react'
import { attempt } from './api-client.ts'

/** Delay before the first request, ms; each further delay is 1.5 times as long, up to the longest. */
const FIRST_MS = 2_000
const LONGEST_MS = 30_000

/**
 * Polls while the page is visible, until a response is final or the session has ended.
 * @param loaded what the page was loaded with
 * @param ask sends the request; always the same function
 * @param isFinal whether a response will not change any more; always the same function
 * @returns the latest response
 */
export function usePolling<T>(loaded: T, ask: () => Promise<T>, isFinal: (response: T) => boolean): T {
  const [seen, setSeen] = useState<{ after: T; response: T }>()
  useEffect(() => {
    if (isFinal(loaded)) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let ended = false
    const poll = async (delay: number) => {
      if (document.visibilityState === 'visible') {
        const { response, problem } = await attempt(ask())
        if (ended || problem?.status === 401) return
        if (!problem) setSeen({ after: loaded, response: response as T })
        if (!problem && isFinal(response as T)) return
      }
      timer = setTimeout(poll, delay, Math.min(delay * 1.5, LONGEST_MS))
    }
    timer = setTimeout(poll, FIRST_MS, FIRST_MS)
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [loaded, ask, isFinal])
  return seen && seen.after === loaded ? seen.response : loaded
}
