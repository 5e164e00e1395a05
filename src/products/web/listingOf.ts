import { broken } from '#contract'
import { brokenFile } from '#images/contract.ts'
import type { FieldErrors, Problem } from '#problem'
import { type Ask, attempt, draftOf } from '#web/api.ts'
import { ListingDraft } from '../contract.ts'
import { upload } from './upload.ts'

/** A form's listing as the API takes it; an empty number counts as missing. */
export function listingOf(form: FormData): ListingDraft {
  const text = (name: string) => String(form.get(name) ?? '')
  const number = (name: string) => (text(name).trim() === '' ? (undefined as never) : Number(text(name)))
  return {
    name: text('name'),
    category: text('category'),
    description: text('description'),
    price: number('price'),
    stock: number('stock'),
  }
}

/** The chosen photo, null where none was chosen: browsers then send an empty file without a name. */
function photoOf(form: FormData): File | null {
  const file = form.get('image')
  return file instanceof File && (file.name !== '' || file.size > 0) ? file : null
}

/** The first message of each field that breaks a rule. A new listing needs a photo, an edited one may have one. */
export function brokenListing(form: FormData, photo: 'required' | 'optional'): FieldErrors | undefined {
  const file = photoOf(form)
  const image = file || photo === 'required' ? brokenFile(file) : undefined
  const errors = { ...broken(ListingDraft, listingOf(form)), ...(image ? { image } : {}) }
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** What a refused listing form shows. */
export interface ListingResult {
  fields?: FieldErrors
  problems?: string[]
  draft: Record<string, string>
  /** The listing, where it was saved and only its photo is missing: sending the form again adds the photo. */
  id?: number
}

export const refusedListing = (form: FormData, problem: Problem): ListingResult => ({
  problems: problem.status >= 500 ? [problem.message] : problem.errors,
  draft: draftOf(form),
})

/** Adds the chosen photo to a saved listing. @returns what the form shows where that failed */
export async function addPhoto(
  ask: Ask,
  form: FormData,
  id: number,
  saved: string,
): Promise<ListingResult | undefined> {
  const file = photoOf(form)
  if (!file) return undefined
  const sent = upload(onProgress =>
    ask('POST /api/products/:id/images', { params: { id }, body: { image: file }, onProgress }),
  )
  const { problem } = await attempt(sent)
  if (!problem) return undefined
  const again = `${saved}, but its photo was not. Choose a photo and send the form again: nothing else is lost.`
  return { problems: [problem.message, again], draft: draftOf(form), id }
}
