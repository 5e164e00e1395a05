import { type Image, placesAfter } from '#images/contract.ts'
import { photoOf, photosOf } from '#images/web/upload.ts'
import { validatePhotos } from '#images/web/validate-photos.ts'
import type { FieldErrors, Problem } from '#problem'
import { type Ask, attempt } from '#ui/api-client.ts'
import type { Refusal } from '#ui/flash.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { textFieldsOf } from '#ui/text-fields.ts'
import { CHANGED_MEANWHILE } from '../contract.ts'
import { listingOf, validateTexts } from '../form-listing.ts'
import { stockShownNow, withPhotosAt } from '../form-variations.ts'
import { validateRows, withNewRows } from '../new-rows.ts'
import { controlTextIn, differences } from './listingDifferences.ts'

/** A form's listing as the API takes it. Includes the stock shown. */
export const parseListing = (form: FormData) => listingOf(controlTextIn(form))

/**
 * Headers from the form: its idempotency key, so that a retry adds no second listing or stock, and the version it
 * was filled from.
 */
export function headersOf(form: FormData): { headers: Record<string, string> } {
  const key = String(form.get('key') ?? '')
  const version = String(form.get('version') ?? '')
  return {
    headers: {
      ...(key ? { 'idempotency-key': key } : {}),
      ...(version ? { 'expected-version': version } : {}),
    },
  }
}

/** The texts of a form, by control. */
export const textsOf = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    // Browsers send line ends as two characters.
    Object.entries(textFieldsOf(form)).map(([name, text]) => [name, text.replaceAll('\r\n', '\n')]),
  )

/** First error of each field. A new listing needs a photo. */
export function validateListing(form: FormData, photo: 'required' | 'optional'): FieldErrors | undefined {
  const texts = textsOf(form)
  // With the rows that the form has next.
  const rows = withNewRows(texts)
  const errors: FieldErrors = {
    ...validateTexts(name => rows[name]),
    ...validateRows(name => texts[name]),
    ...validatePhotos(form, photosOf(form), photo),
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** Value of the button that saves a draft. */
export const SAVE_DRAFT = 'save'
/** Whether the form is to be saved as a draft, finished or not. */
export const isDraft = (form: FormData): boolean => form.get('intent') === SAVE_DRAFT

/** State of a listing form that was refused, or saved as a draft. */
export interface ListingResult extends Refusal {
  /** That it was saved, for a form that stays. */
  done?: string
  fields?: FieldErrors
  /** Why the photo was refused. */
  reason?: string
  /** The photo has to be chosen again: a page cannot fill a file field. */
  photoLost?: boolean
  typed: Record<string, string>
  /** Id of a saved listing whose photo is missing: a retry adds the photo. */
  id?: number
  /** The photos that the listing has now. */
  images?: Image[]
  /** Numbers of the files that are stored. */
  sent?: number[]
}

/** Id of the listing that an earlier attempt saved. */
export const savedBy = (form: FormData): number | undefined => Number(form.get('id')) || undefined

/** Typed values and the saved id. */
export const unsavedOf = (form: FormData, id = savedBy(form)) => ({
  typed: textFieldsOf(form),
  ...(id ? { id } : {}),
  // Scripts keep the chosen file in the form.
  ...(import.meta.env.SSR && photoOf(form) ? { photoLost: true } : {}),
})

/** The result of a form with invalid fields. */
export function invalidResult(form: FormData, fields: FieldErrors): ListingResult {
  const { typed, ...rest } = unsavedOf(form)
  return { fields, ...rest, typed: withNewRows(typed) }
}

/** Stock and version that the form now shows: the next attempt is based on them. */
export const showing = (
  result: ListingResult,
  current: { stock_shown: string; version?: string },
): ListingResult => ({
  ...result,
  typed: { ...result.typed, ...current, key: newIdempotencyKey() },
})

/** A listing with its details and delivery, as stored. @throws Problem 404 unknown or not for sale */
export const storedListing = (ask: Ask, id: number | string) =>
  Promise.all([
    ask('GET /api/products/:id', { params: { id } }),
    ask('GET /api/products/:id/details', { params: { id } }),
    ask('GET /api/products/:id/postage', { params: { id } }),
  ])

/** Whether the listing is stored as the form has it, photos and stock aside. */
export async function isStored(ask: Ask, form: FormData, id: number): Promise<boolean> {
  const { response } = await attempt(storedListing(ask, id))
  if (!response) return false
  const [now, details, postage] = response
  return differences(form, parseListing(form), { ...now, ...postage }, details).length === 0
}

/** State of the form after a refusal. @param id of an existing listing */
export async function refusedListing(
  ask: Ask,
  form: FormData,
  id: number | undefined,
  problem: Problem,
): Promise<ListingResult> {
  const result = {
    problems: problem.status >= 500 ? [problem.message] : problem.errors,
    loginNeeded: problem.status === 401,
    ...unsavedOf(form),
  }
  // Another piece in the form of the last one, after Back: the next attempt adds it.
  if (problem.status === 422) return { ...result, typed: { ...result.typed, key: newIdempotencyKey() } }
  if (problem.status !== 409 || id === undefined) return result
  const { response } = await attempt(storedListing(ask, id))
  if (!response) return result
  const [now, details, postage] = response
  // After a concurrent sale: the next attempt is based on the present stock.
  if (problem.message !== CHANGED_MEANWHILE) {
    const { combinations } = details.variations
    return showing(result, {
      stock_shown: String(now.stock),
      ...stockShownNow(controlTextIn(form), combinations),
    })
  }
  const typed = {
    ...result.typed,
    // The version has no stock: that is still based on the stock shown.
    ...stockShownNow(controlTextIn(form), details.variations.combinations, 'new'),
    version: String(now.version),
  }
  const before = String(form.get('photos_shown') ?? '').match(/\d+/g) ?? []
  return {
    ...result,
    images: now.images,
    problems: [STILL_HERE, ...differences(form, parseListing(form), { ...now, ...postage }, details)],
    // The photos may have another order now.
    typed: withPhotosAt(
      typed,
      placesAfter(
        before.map(id => ({ id: Number(id) })),
        now.images,
      ),
    ),
  }
}

const STILL_HERE = `${CHANGED_MEANWHILE}. What you typed is still here: update again to save it instead`

/** State of the form of a draft after a refusal. */
export const refusedDraft = (form: FormData, problem: Problem): ListingResult => ({
  problems: problem.status >= 500 ? [problem.message] : problem.errors,
  loginNeeded: problem.status === 401,
  ...unsavedOf(form),
})

/** State of a new form in which nothing is typed. */
export const nothingToSave = (form: FormData): ListingResult => ({
  problems: ['There is nothing to save yet: begin with a name'],
  ...unsavedOf(form),
})
