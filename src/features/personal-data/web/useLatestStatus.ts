import { useEffect, useState } from 'react'
import { askOverFetch, attempt } from '#ui/api-client.ts'
import type { DataExport } from '../contract.ts'

/** Delay before the first poll, ms; each further delay is 1.5 times as long, up to the longest. */
const FIRST_MS = 2_000
const LONGEST_MS = 30_000

/** Follows an archive that is being made, while the page is visible. @param loaded what the page was loaded with */
export function useLatestStatus(loaded: DataExport | null): DataExport | null {
  const [seen, setSeen] = useState<{ after: DataExport; status: DataExport }>()
  useEffect(() => {
    if (loaded?.state !== 'making') return
    let timer: ReturnType<typeof setTimeout> | undefined
    let ended = false
    const poll = async (delay: number) => {
      if (document.visibilityState === 'visible') {
        const { answer, problem } = await attempt(askOverFetch('GET /api/account/data'))
        if (ended || problem?.status === 401) return
        if (answer && answer.state !== 'making') return setSeen({ after: loaded, status: answer })
      }
      timer = setTimeout(poll, delay, Math.min(delay * 1.5, LONGEST_MS))
    }
    timer = setTimeout(poll, FIRST_MS, FIRST_MS)
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [loaded])
  return seen?.after === loaded ? seen.status : loaded
}
