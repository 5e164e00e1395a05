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

/**
 * Replaces a photo above the size limit by a smaller jpeg, and fires the events of a choice by hand. Does nothing if
 * the browser cannot read it, or if it was replaced meanwhile.
 */
export async function makeSmaller(input: HTMLInputElement): Promise<void> {
  const file = input.files?.[0]
  if (!isLargePhoto(file)) return
  const small = await smaller(file).catch(() => undefined)
  if (!small || input.files?.[0] !== file) return
  const chosen = new DataTransfer()
  chosen.items.add(small)
  input.files = chosen.files
  for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }))
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
