import { useSyncExternalStore } from 'react'
import { sending } from '#ui/api-client.ts'
import { sendFile } from '#ui/send-file.ts'
import type { Image } from '../contract.ts'

sending.file = sendFile

/** The upload that is under way, or was last. One form sends one photo at a time. */
interface Upload {
  /** 0 to 1. */
  part: number
  /** Address of the picture, once it is there. */
  url?: string
}

let current: Upload | undefined
const listeners = new Set<() => void>()

function set(next: Upload | undefined): void {
  current = next
  for (const tell of listeners) tell()
}

/** The chosen photo, null where none was chosen: browsers then send an empty file without a name. */
export function photoOf(form: FormData): File | null {
  const file = form.get('image')
  return file instanceof File && (file.name !== '' || file.size > 0) ? file : null
}

/** Runs an upload and lets the form see how far it is. On the server nobody looks, and nothing is shared. */
export async function upload(send: (onProgress: (part: number) => void) => Promise<Image>): Promise<Image> {
  if (!('document' in globalThis)) return send(() => {})
  set({ part: 0 })
  try {
    const image = await send(part => set({ part }))
    set({ part: 1, url: image.url })
    return image
  } catch (error) {
    set(undefined)
    throw error
  }
}

/** Forgets the last upload: a form that opens starts anew. */
export const forgetUpload = (): void => set(undefined)

/** The upload of this browser, undefined where there is none. */
export const useUpload = (): Upload | undefined =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
    () => undefined,
  )
