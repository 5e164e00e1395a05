import type { Image } from '../contract.ts'
import { newPhoto, photosIn } from './photo-fields.ts'

/** The order of the photos of a form while it is open. */
export interface PhotoRows {
  /** Rows in order: ids of stored photos, and `file` with the serial of a chosen file. */
  order: string[]
  /** Serials of the chosen files. They stay when another file is taken out. */
  serials: number[]
  /** The next serial. */
  next: number
}

const ofFile = (serial: number): string => `file${serial}`

/** The rows of a form with typed values, or with none. */
export function firstRows(typed: Record<string, string> | undefined): PhotoRows {
  const order = photosIn(Object.entries(typed ?? {})).map(({ key }) => key.replace(/^new/, 'file'))
  const serials = order.filter(row => row.startsWith('file')).map((_, serial) => serial)
  return { order, serials, next: serials.length }
}

/** The rows for the photos and files that there are now: further ones come last. */
export function currentRows(rows: PhotoRows, images: Image[], files: number): PhotoRows {
  const serials = rows.serials.slice(0, files)
  let next = rows.next
  while (serials.length < files) serials.push(next++)
  const all = [...images.map(({ id }) => String(id)), ...serials.map(ofFile)]
  const order = rows.order.filter(row => all.includes(row))
  return { order: [...order, ...all.filter(row => !order.includes(row))], serials, next }
}

/** Moves a row to another index. */
export function moved(rows: PhotoRows, row: string, to: number): PhotoRows {
  const order = rows.order.filter(other => other !== row)
  order.splice(to, 0, row)
  return { ...rows, order }
}

/** Without the files at these indexes. */
export const withoutFiles = (rows: PhotoRows, gone: number[]): PhotoRows => ({
  ...rows,
  serials: rows.serials.filter((_, index) => !gone.includes(index)),
})

/** Without any file: others were chosen instead. */
export const withoutChosen = (rows: PhotoRows): PhotoRows => ({ ...rows, serials: [] })

/** The index of the chosen file of a row; -1 for a stored photo. */
export const fileOf = (rows: PhotoRows, row: string): number =>
  rows.serials.findIndex(serial => ofFile(serial) === row)

/** The key of a row in the fields of the form. */
export function keyOf(rows: PhotoRows, row: string): string {
  const file = fileOf(rows, row)
  return file < 0 ? row : newPhoto(file)
}
