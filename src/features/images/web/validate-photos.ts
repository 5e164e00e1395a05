import { fieldErrors } from '#contract'
import type { FieldErrors } from '#problem'
import { MAX_IMAGES, NO_FILE, PlacedPhoto, TOO_MANY, validateFile } from '../contract.ts'
import { altOf, isNew, photosIn, placeOf } from './photo-fields.ts'

const WRONG_PLACE = 'Place must be a whole number from 1 to 99'

/** Errors of the photos of a form, by field; `image` is the field of the files. */
export function validatePhotos(form: FormData, files: File[], needed: 'required' | 'optional'): FieldErrors {
  const photos = photosIn(form)
  const errors: FieldErrors = {}
  for (const { key, alt } of photos) {
    const place = String(form.get(placeOf(key)))
    if (!/^\s*[1-9]\d?\s*$/.test(place)) errors[placeOf(key)] = WRONG_PLACE
    const wrong = fieldErrors(PlacedPhoto, { id: 1, alt })?.alt
    if (wrong) errors[altOf(key)] = wrong
  }
  const stored = photos.filter(({ key }) => !isNew(key))
  const count = stored.filter(({ removed }) => !removed).length + files.length
  const isMissing = count === 0 && (stored.length > 0 || needed === 'required')
  const image = isMissing ? NO_FILE : count > MAX_IMAGES ? TOO_MANY : validateFiles(files)
  return image ? { ...errors, image } : errors
}

/** The first file that cannot be sent; one of several by its name. */
function validateFiles(files: File[]): string | undefined {
  for (const file of files) {
    const message = validateFile(file)
    if (message) return files.length > 1 ? `${file.name}: ${message}` : message
  }
}
