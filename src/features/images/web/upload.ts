import { useSyncExternalStore } from 'react'
import { sending } from '#ui/api-client.ts'
import { sendFile } from '#ui/send-file.ts'
import type { Image } from '../contract.ts'

sending.file = sendFile

/** The current or last upload. A form sends one photo at a time. */
interface Upload {
  /** 0 to 1. */
  part: number
  /** Address of the picture, after the upload. */
  url?: string
}

let current: Upload | undefined
const listeners = new Set<() => void>()

function set(next: Upload | undefined): void {
  current = next
  for (const listener of listeners) listener()
}

/** The chosen photo, or null: browsers send an empty file without a name. */
export function photoOf(form: FormData): File | null {
  const file = form.get('image')
  return file instanceof File && (file.name !== '' || file.size > 0) ? file : null
}

/** Runs an upload and publishes its progress. On the server nothing is published. */
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

/** Forgets the last upload, when a form opens. */
export const forgetUpload = (): void => set(undefined)

/** The browser's upload, undefined without one. */
export const useUpload = (): Upload | undefined =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
    () => undefined,
  )
