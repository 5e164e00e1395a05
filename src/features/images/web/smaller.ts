import { MAX_FILE_BYTES } from '../contract.ts'

/** Longer side, pixels. The shop shows at most half of that. */
const MAX_SIDE = 2800
/** From 0 to 1. High enough, since the server encodes every photo again. */
const QUALITY = 0.9
/** Never animated: a canvas would keep only the first frame of a gif or webp. */
const STILL = /^image\/(jpeg|png|avif)$/

/** Whether the file is a photo above the size limit that can be shrunk. */
export const isLargePhoto = (file: File | undefined): file is File =>
  file !== undefined && file.size > MAX_FILE_BYTES && STILL.test(file.type)

/** Replaces the choice of a file field, and fires the events of a choice by hand. */
export function chooseFiles(input: HTMLInputElement, files: File[]): void {
  const chosen = new DataTransfer()
  for (const file of files) chosen.items.add(file)
  input.files = chosen.files
  for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }))
}

/**
 * Replaces a photo above the size limit by a smaller jpeg. Does nothing if the browser cannot read it, or if it was
 * replaced meanwhile.
 * @param replace is given the whole choice of the file field with the smaller photo
 */
export async function makeSmaller(
  input: HTMLInputElement,
  file: File,
  replace: (files: File[]) => void,
): Promise<void> {
  const small = await smaller(file).catch(() => undefined)
  const files = [...(input.files ?? [])]
  if (small && files.includes(file)) replace(files.map(each => (each === file ? small : each)))
}

/** @throws if the browser cannot read or draw the photo */
async function smaller(file: File): Promise<File | undefined> {
  const upright = await createImageBitmap(file)
  const scale = Math.min(1, MAX_SIDE / Math.max(upright.width, upright.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(upright.width * scale))
  canvas.height = Math.max(1, Math.round(upright.height * scale))
  const context = canvas.getContext('2d')
  if (!context) return
  // A jpeg has no transparency: it would become black.
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(upright, 0, 0, canvas.width, canvas.height)
  upright.close()
  const jpeg = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/jpeg', QUALITY))
  if (!jpeg || jpeg.size > MAX_FILE_BYTES) return
  return new File([jpeg], `${file.name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' })
}
