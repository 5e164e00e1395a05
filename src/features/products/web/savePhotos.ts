import { type Image, MAX_IMAGES, type PlacedPhoto, placesAfter } from '#images/contract.ts'
import { isNew, newPhoto, photosIn, withoutPhotos } from '#images/web/photo-fields.ts'
import { type FailedUpload, photosOf, type SendFile, uploadAll } from '#images/web/upload.ts'
import type { Problem } from '#problem'
import { type Ask, attempt } from '#ui/api-client.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import type { Listing } from '../contract.ts'
import { stockShownAsSaved, withPhotosAt } from '../form-variations.ts'
import { withNewRows } from '../new-rows.ts'
import {
  type ListingResult,
  parseListing,
  refusedDraft,
  refusedListing,
  showing,
  unsavedOf,
} from './parseListing.ts'

/** The calls for the photos of something, such as a listing. */
interface PhotoCalls<Owner> {
  add: SendFile
  find: () => Promise<Owner>
  arrange: (photos: PlacedPhoto[], now: Owner) => Promise<Owner>
}

/** The result of saving the photos of a form. */
interface Saved<Owner> {
  /** The present listing or draft. */
  now: Owner
  failed: FailedUpload[]
  /** Why order, alt texts and removals were refused, if they were. */
  problem?: Problem | undefined
  /** For the form: the photos that are stored, and the numbers of the files among them. */
  progress: Pick<ListingResult, 'images' | 'sent'>
}

/**
 * Saves the photos of a form: uploads new ones, then sets order and alt texts of all, and deletes removed ones. A
 * refused photo does not stop the rest.
 */
async function store<Owner extends { images: Image[] }>(
  form: FormData,
  before: Owner,
  { add, find, arrange }: PhotoCalls<Owner>,
): Promise<Saved<Owner>> {
  const files = photosOf(form)
  let now = before
  let stored = new Map<string, Image>()
  let failed: FailedUpload[] = []
  const arranged = async () => {
    const photos = arrangementOf(form, now.images, stored)
    if (isAlready(photos, now.images)) return undefined
    const { response, problem } = await attempt(arrange(photos, now))
    now = response ?? now
    return problem
  }
  // Deletes removed photos first if the new ones need their room.
  let problem = now.images.length + files.length > MAX_IMAGES ? await arranged() : undefined
  if (!problem && files.length > 0) {
    const key = String(form.get('upload_key') || newIdempotencyKey())
    ;({ stored, failed } = await uploadAll(add, files, key))
    let { response } = await attempt(find())
    // More photos than the responses say: one of them was lost. Sent again, the files are the same photos.
    if (response && failed.length > 0 && response.images.length > now.images.length + stored.size) {
      ;({ stored, failed } = await uploadAll(add, files, key))
      response = (await attempt(find())).response ?? response
    }
    // After a lost connection: what the uploads have returned.
    now = response ?? { ...now, images: withoutTwins([...now.images, ...stored.values()]) }
  }
  problem ??= await arranged()
  const sent = files.flatMap((_, at) => (stored.has(newPhoto(at)) ? [at] : []))
  return { now, failed, problem, progress: { images: now.images, sent } }
}

/**
 * Saves the photos of a form of a saved listing.
 * @param saved beginning of the message
 * @returns the state of the form if something failed
 */
export async function savePhotos(
  ask: Ask,
  form: FormData,
  listing: Listing,
  saved: string,
): Promise<ListingResult | undefined> {
  const { id } = listing
  const params = { id }
  const { now, failed, problem, progress } = await store(form, listing, {
    add: (image, options) => ask('POST /api/products/:id/images', { params, body: { image }, ...options }),
    find: () => ask('GET /api/products/:id', { params }),
    arrange(photos, { version }) {
      const headers = { 'expected-version': String(version) }
      return ask('PUT /api/products/:id/images', { params, body: { photos }, headers })
    },
  })
  if (problem) {
    const refused = await refusedListing(ask, form, id, problem)
    // After a conflict the combinations are at the new places already.
    const typed = refused.images
      ? refused.typed
      : withPhotosAt(refused.typed, placesAfter(listing.images, now.images))
    return { ...progress, ...refused, id, typed }
  }
  if (failed.length === 0) return undefined
  const result = { ...messages(photosOf(form), failed, saved), ...progress, ...unsavedOf(form, id) }
  const typed = withNewRows(result.typed)
  const atNewPlaces = withPhotosNow(typed, listing.images, now.images)
  // The stock is saved already. As `stock_shown`, it makes a retry change nothing.
  return showing(
    { ...result, typed: atNewPlaces },
    {
      stock_shown: String(stockOf(form)),
      ...stockShownAsSaved(name => typed[name]),
      version: String(now.version),
    },
  )
}

/** The stock of a listing that this form was saved as: with variations the sum. */
export function stockOf(form: FormData): number {
  const { stock, variations } = parseListing(form)
  const { combinations = [] } = variations ?? {}
  return combinations.length > 0 ? combinations.reduce((sum, each) => sum + each.stock, 0) : stock
}

/** Saves the photos of a form of a saved draft. @returns its photos now; `unsaved`: the state of the form if something failed */
export async function saveDraftPhotos(
  ask: Ask,
  form: FormData,
  draft: { id: number; images: Image[] },
): Promise<{ images: Image[]; unsaved?: ListingResult }> {
  const params = { draftId: draft.id }
  const { now, failed, problem, progress } = await store(form, draft, {
    add: (image, options) => ask('POST /api/drafts/:draftId/images', { params, body: { image }, ...options }),
    find: () => ask('GET /api/drafts/:draftId', { params }),
    arrange(photos, { images }) {
      // Imported photos may have arrived since.
      const body = { photos, known: images.map(({ id }) => id) }
      return ask('PUT /api/drafts/:draftId/images', { params, body })
    },
  })
  if (problem) {
    const refused = { ...refusedDraft(form, problem), ...progress }
    const typed = withPhotosAt(refused.typed, placesAfter(draft.images, now.images))
    return { images: now.images, unsaved: { ...refused, typed } }
  }
  if (failed.length === 0) return { images: now.images }
  const missing = messages(photosOf(form), failed, 'Your draft was saved')
  const result = { ...missing, ...progress, ...unsavedOf(form) }
  const typed = withPhotosNow(result.typed, draft.images, now.images)
  return { images: now.images, unsaved: { ...result, typed } }
}

/** State of a form that was refused after its photos were stored. @param before the photos that it showed */
export const withStoredPhotos = (
  result: ListingResult & { typed: Record<string, string> },
  form: FormData,
  before: Image[],
  images: Image[],
): ListingResult => ({
  ...result,
  images,
  photoLost: false,
  sent: photosOf(form).map((_, at) => at),
  typed: withPhotosNow(result.typed, before, images),
})

/** The typed texts, with each combination at the new place of its chosen photo. */
const withPhotosNow = (typed: Record<string, string>, before: Image[], now: Image[]) =>
  withPhotosAt(withoutPhotos(typed), placesAfter(before, now))

/** The photos in the order of the form. Photos that it does not know, such as those added in another tab, come last. */
function arrangementOf(form: FormData, images: Image[], stored: Map<string, Image>): PlacedPhoto[] {
  const rows = photosIn(form as Iterable<[string, unknown]>).map(({ key, ...rest }) => {
    const id = isNew(key) ? stored.get(key)?.id : Number(key)
    return { isFile: isNew(key), id, ...rest }
  })
  // A file whose response was lost is in the form twice. It has the place of the file, and the alt text of one of both.
  const known = rows
    .filter(({ isFile, id }) => isFile || !rows.some(other => other.isFile && other.id === id))
    .map(row => ({ ...row, alt: row.alt || (rows.find(({ id, alt }) => id === row.id && alt)?.alt ?? '') }))
  const left = new Set(images.map(({ id }) => id))
  const photos: PlacedPhoto[] = []
  for (const { id, alt, removed } of known)
    if (id !== undefined && left.delete(id) && !removed) photos.push({ id, alt })
  return [...photos, ...[...left].map(id => ({ id }))]
}

const withoutTwins = (images: Image[]) => [...new Map(images.map(image => [image.id, image])).values()]

const isAlready = (photos: PlacedPhoto[], images: Image[]): boolean =>
  photos.length === images.length &&
  photos.every(
    ({ id, alt }, at) => images[at]?.id === id && (alt ?? images[at].alt).trim() === images[at].alt,
  )

/** Messages about the photos that were not stored. */
function messages(
  files: File[],
  failed: FailedUpload[],
  saved: string,
): Pick<ListingResult, 'problems' | 'reason'> {
  if (files.length === 1) {
    const missing = `${saved}, but its photo was not. Everything else is kept`
    return {
      problems: [`${missing}: choose a photo, or try the upload again.`],
      reason: failed[0]?.message ?? '',
    }
  }
  const missing = `${saved}, but ${failed.length} of its ${files.length} new photos ${failed.length === 1 ? 'was' : 'were'} not. Everything else is kept`
  return {
    problems: [`${missing}: choose them once more, or try the upload again.`],
    reason: failed.map(({ file, message }) => `${file.name}: ${message}`).join('. '),
  }
}
