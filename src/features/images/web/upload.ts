import { useSyncExternalStore } from 'react'
import { attempt, type FileOptions, fileUpload } from '#ui/api-client.ts'
import { sendFile } from '#ui/send-file.ts'
import type { Image } from '../contract.ts'
import { newPhoto } from './photo-fields.ts'

fileUpload.send = sendFile

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

/** A file that was not stored, and why. */
export interface FailedUpload {
  file: File
  message: string
}

/** Sends a file. @throws Problem for a refusal */
export type SendFile = (image: File, options: FileOptions) => Promise<Image>

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
const startUploads = (files: File[]): void => {
  if (!import.meta.env.SSR) set(files.map(({ name }) => ({ name, part: 0 })))
}

/** Runs the upload of a file of `startUploads` and publishes its progress. On the server nothing is published. */
async function upload(
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

/**
 * Sends the files of a form one after the other, and publishes their progress. After an
 * error that is not about a file, the others are not sent.
 * @param key idempotency key of the form: a file whose response was lost is stored once, also if it is sent again
 * @returns stored photos by their key in the form
 */
export async function uploadAll(send: SendFile, files: File[], key: string) {
  const stored = new Map<string, Image>()
  const failed: FailedUpload[] = []
  startUploads(files)
  for (const [at, file] of files.entries()) {
    // With the end of its name: forms may have two files of the same content.
    const headers = { 'idempotency-key': `${key}.${encodeURIComponent(file.name).slice(-50)}` }
    const { response, problem } = await attempt(upload(at, onProgress => send(file, { onProgress, headers })))
    if (response) stored.set(newPhoto(at), response)
    if (!problem) continue
    const isOfFile = [400, 413].includes(problem.status)
    failed.push(...(isOfFile ? [file] : files.slice(at)).map(file => ({ file, message: problem.message })))
    if (!isOfFile) break
  }
  return { stored, failed }
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
