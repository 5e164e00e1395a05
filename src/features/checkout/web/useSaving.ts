import { useRef } from 'react'
import { useFetcher } from 'react-router'
import type { CartResult } from '#cart/web/cartForm.ts'

/**
 * Saves choices one request after another, so that the last one wins. Of the waiting choices only the newest is sent.
 * @param key of the fetcher
 */
export function useSaving(key: string) {
  const { submit, state, data } = useFetcher<CartResult | null>({ key })
  const next = useRef<Record<string, string>>(undefined)
  const isSending = useRef(false)
  const save = async (fields: Record<string, string>) => {
    next.current = fields
    if (isSending.current) return
    isSending.current = true
    try {
      while (next.current) {
        const { current } = next
        next.current = undefined
        await submit(current, { method: 'post', action: '/cart' })
      }
    } finally {
      isSending.current = false
    }
  }
  return { save, isSaving: state !== 'idle', result: data ?? undefined }
}
