import { useRef } from 'react'
import { useFetcher } from 'react-router'
import type { CartResult } from './cartForm.ts'

type Fields = Record<string, string>

/**
 * Saves choices one request after another, so that the last one wins. Of the waiting choices only the newest is sent.
 * @param key of the fetcher
 */
export function useSaving(key: string) {
  const { submit, state, data } = useFetcher<CartResult | null>({ key })
  const next = useRef<Fields>(undefined)
  const isSending = useRef(false)
  const send = (fields: Fields) => submit(fields, { method: 'post', action: '/cart' })
  /** Sends a choice after the one under way. Not by `state`: it is a rendering later. */
  const save = async (fields: Fields) => {
    next.current = fields
    if (isSending.current) return
    isSending.current = true
    try {
      while (next.current) {
        const { current } = next
        next.current = undefined
        await send(current)
      }
    } finally {
      isSending.current = false
    }
  }
  /** Sends at once, in place of what waits. */
  const sendNow = (fields: Fields) => {
    next.current = undefined
    return send(fields)
  }
  return {
    save,
    sendNow,
    isSaving: state !== 'idle',
    /** The choice that waits for the one under way. */
    waiting: () => next.current,
    result: data ?? undefined,
  }
}
