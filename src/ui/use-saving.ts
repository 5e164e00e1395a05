import { type RefObject, useRef } from 'react'
import { useFetcher } from 'react-router'

type Fields = Record<string, string>

interface Saving<Result> {
  /** Sends a choice after the one under way. @returns resolves when nothing waits any more */
  save: (fields: Fields) => Promise<void>
  /** Sends at once. */
  send: (fields: Fields) => Promise<void>
  /** The choice that waits for the one under way. */
  next: RefObject<Fields | undefined>
  isSaving: boolean
  /** What the action has returned last. */
  result: Result | undefined
}

/**
 * Saves choices one request after another, so that the last one wins. Of the waiting choices only the newest is sent.
 * @param action address that they are posted to
 * @param key of the fetcher, for others who follow it
 */
export function useSaving<Result>(action: string, key?: string): Saving<Result> {
  const { submit, state, data } = useFetcher<unknown>(key ? { key } : {})
  const next = useRef<Fields>(undefined)
  const saving = useRef<Promise<void>>(undefined)
  const send = (fields: Fields) => submit(fields, { method: 'post', action })
  const sendAll = async () => {
    try {
      while (next.current) {
        const { current } = next
        next.current = undefined
        await send(current)
      }
    } finally {
      saving.current = undefined
    }
  }
  const save = (fields: Fields) => {
    next.current = fields
    // Not by `state`, which is a rendering later.
    saving.current ??= sendAll()
    return saving.current
  }
  return { save, send, next, isSaving: state !== 'idle', result: (data ?? undefined) as Result | undefined }
}
