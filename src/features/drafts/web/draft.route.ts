import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { hasTyped, keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import type { Image } from '#images/contract.ts'
import { photosOf } from '#images/web/upload.ts'
import { validateRows, withNewRows } from '#products/new-rows.ts'
import { listingPath } from '#products/slug.ts'
import { choicesOf, NO_CHOICES } from '#products/web/choices.ts'
import { atVersion, draftVersionOf, notSaved } from '#products/web/draftForm.ts'
import { controlTextIn } from '#products/web/listingDifferences.ts'
import {
  invalidResult,
  isDraft,
  isStored,
  type ListingResult,
  refusedDraft,
  validateListing,
} from '#products/web/parseListing.ts'
import { saveDraftPhotos, stockOf, withStoredPhotos } from '#products/web/savePhotos.ts'
import { markFormSaved } from '#products/web/unsaved-form.ts'
import { textsIn } from '#products/web/useAutosave.ts'
import { type Ask, apiOf, attempt } from '#ui/api-client.ts'
import { accepted, leadsTo } from '#ui/flash.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { textFieldsOf } from '#ui/text-fields.ts'
import type { Draft } from '../contract.ts'

/** The draft, and what its maker can choose. A draft that was published leads to its listing. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLoginUnlessTyped(args)
  const ask = apiOf(args)
  if (!user) return { draft: undefined, ...NO_CHOICES }
  const params = { draftId: args.params.draftId ?? '' }
  const [{ response: draft, problem }, choices] = await Promise.all([
    attempt(ask('GET /api/drafts/:draftId', { params })),
    choicesOf(ask),
  ])
  if (problem?.status !== 404) {
    if (problem) throw problem
    return { draft, ...choices }
  }
  // What was typed is shown again, to be copied.
  if (hasTyped(args)) return { draft: undefined, ...choices }
  const { response: listing } = await attempt(ask('GET /api/drafts/:draftId/listing', { params }))
  if (listing) throw redirect(listingPath(listing))
  throw problem
}

/** Saves the draft with its photos, then publishes it if that button is pressed. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const ask = apiOf(args)
  const params = { draftId: Number(args.params.draftId) }
  const fields = isDraft(form) ? {} : validateRows(controlTextIn(form))
  if (Object.keys(fields).length > 0) return refused(invalidResult(form, fields), 400)
  const { response: draft, problem } = await attempt(
    ask('PUT /api/drafts/:draftId', {
      params,
      body: { fields: withNewRows(textsIn(form)) },
      headers: draftVersionOf(form),
    }),
  )
  if (problem?.status === 409 && !isDraft(form) && (await isPublished(ask, form, params)))
    return leadsTo('/your-listings', 'added')
  if (problem) return refused(await notSaved(ask, form, params.draftId, problem), problem.status)
  const { images, unsaved } = await saveDraftPhotos(ask, form, draft)
  if (unsaved) return refused(atVersion(unsaved, draft), 400)
  markFormSaved()
  if (isDraft(form)) return accepted(args.request, savedDraft(form, draft, images), 'saved')
  const { problem: unfinished } = await attempt(ask('POST /api/drafts/:draftId/publish', { params }))
  if (unfinished) {
    const photo = draft.images.length > 0 ? 'optional' : 'required'
    const missing = unfinished.status === 400 ? validateListing(form, photo) : undefined
    const why = missing ? invalidResult(form, missing) : refusedDraft(form, unfinished)
    const result = withStoredPhotos(why, form, draft.images, images)
    return refused(atVersion(result, draft), unfinished.status)
  }
  return leadsTo('/your-listings', 'added')
}

/** Whether the draft is published as the form has it, such as by a try whose response was lost. */
async function isPublished(ask: Ask, form: FormData, params: { draftId: number }): Promise<boolean> {
  const { response: listing } = await attempt(ask('GET /api/drafts/:draftId/listing', { params }))
  const isSame = listing?.stock === stockOf(form) && photosOf(form).length === 0
  return isSame && isStored(ask, form, listing.id)
}

/** State of the form after it was saved: with scripts it stays, with what was typed meanwhile. */
function savedDraft(form: FormData, draft: Draft, images: Image[]): ListingResult {
  const typed = { ...withNewRows(textFieldsOf(form)), upload_key: newIdempotencyKey() }
  const result = { done: DONE.saved.done, typed }
  return atVersion(withStoredPhotos(result, form, draft.images, images), draft)
}

/** Messages of accepted forms. */
export const DONE = {
  saved: { done: 'Your draft is saved. Only you see it' },
  'photo-lost': { done: 'Your draft is saved, but not all of its photos: please choose them again' },
  duplicated: { done: 'This is a copy, as a draft, with its photos' },
}

const refused = (result: ListingResult, status: number) => data(result, status || 503)

export const handle = { title: () => 'A draft' }
