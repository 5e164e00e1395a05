import { useSyncExternalStore } from 'react'
import { sending } from '#ui/api-client.ts'
import { sendFile } from '#ui/send-file.ts'
import type { Image } from '../contract.ts'

sending.file = sendFile

/** The upload of one file. A form sends its files one after the other. */
export interface Upload {
  /** Name of the file. */
  name: string
  /** 0 to 1. */
  part: number
  /** Address of the picture, after the upload. */
  url?: string
  failed?: boolean
}

let current: Upload[] = []
const listeners = new Set<() => void>()

function set(next: Upload[]): void {
  current = next
  for (const listener of listeners) listener()
}

/** Whether a field has a file. Browsers send an empty one without a name for none. */
export const isChosen = (file: unknown): file is File =>
  file instanceof File && (file.name !== '' || file.size > 0)

/** The chosen photos. */
export const photosOf = (form: FormData): File[] => form.getAll('image').filter(isChosen)

/** The first chosen photo, or null. */
export const photoOf = (form: FormData): File | null => photosOf(form)[0] ?? null

/** What is about to be uploaded, one after the other. */
export const startUploads = (files: File[]): void => {
  if (!import.meta.env.SSR) set(files.map(({ name }) => ({ name, part: 0 })))
}

/** Runs the upload of a file of `startUploads` and publishes its progress. On the server nothing is published. */
export async function upload(
  index: number,
  send: (onProgress: (part: number) => void) => Promise<Image>,
): Promise<Image> {
  if (import.meta.env.SSR) return send(() => {})
  const change = (to: Partial<Upload>) =>
    set(current.map((each, other) => (other === index ? { ...each, ...to } : each)))
  try {
    const image = await send(part => change({ part }))
    change({ part: 1, url: image.url })
    return image
  } catch (error) {
    change({ failed: true })
    throw error
  }
}

/** Forgets the last uploads, when a form opens. */
export const forgetUploads = (): void => set([])

const none: Upload[] = []
/** The browser's uploads, none without one. */
export const useUploads = (): Upload[] =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
    () => none,
  )
