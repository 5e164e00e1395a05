import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { hasTyped, keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { requireSameAccount } from '#accounts/web/same-account.ts'
import { photoOf } from '#images/web/upload.ts'
import { SELL } from '#onboarding/web/sell.route.ts'
import { type Ask, apiOf, attempt } from '#ui/api-client.ts'
import { leadsTo } from '#ui/flash.ts'
import { isUntouched } from '../form-listing.ts'
import { withNewRows } from '../new-rows.ts'
import { choicesOf, NO_CHOICES } from './choices.ts'
import { draftVersionOf, notSaved } from './draftForm.ts'
import {
  headersOf,
  invalidResult,
  isDraft,
  nothingToSave,
  parseListing,
  refusedListing,
  savedBy,
  validateListing,
} from './parseListing.ts'
import { saveDraftPhotos, savePhotos } from './savePhotos.ts'
import { markFormSaved } from './unsaved-form.ts'
import { textsIn } from './useAutosave.ts'

/**
 * The seller's postage profiles and sections. None if the session ended while a form was refused. Who may not sell is led to
 * the page that says how, or why not.
 */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLoginUnlessTyped(args)
  if (!user) return NO_CHOICES
  const ask = apiOf(args)
  const [own, { may_sell, suspended, details_missing }] = await Promise.all([
    choicesOf(ask),
    ask('GET /api/selling/'),
  ])
  const choices = { ...own, account: user.id }
  // A refused form stays, with what was typed.
  if (hasTyped(args)) return choices
  if (suspended) throw redirect('/settings/notices')
  if (!may_sell || details_missing) throw redirect(SELL)
  return choices
}

/**
 * Adds the listing, then its photos. If a photo fails, the listing stays, and the form has its id, so that a retry
 * adds no second one.
 */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const ask = apiOf(args)
  if (isDraft(form)) return saveDraft(ask, form)
  const fields = validateListing(form, 'required')
  if (fields) return data(invalidResult(form, fields), 400)
  const body = parseListing(form)
  const id = savedBy(form)
  const save = async () => {
    await requireSameAccount(ask, form)
    return id
      ? ask('PUT /api/products/:id', { params: { id }, body: { id, ...body }, ...headersOf(form) })
      : ask('POST /api/products/', { body, ...headersOf(form) })
  }
  const { response: listing, problem } = await attempt(save())
  if (problem) return data(await refusedListing(ask, form, id, problem), problem.status || 503)
  markFormSaved()
  // What was saved meanwhile is this listing, also if a photo fails. A draft that another tab has changed since stays.
  const draftId = String(form.get('draft_id') ?? '')
  if (draftId)
    await attempt(ask('DELETE /api/drafts/:draftId', { params: { draftId }, headers: draftVersionOf(form) }))
  const unsaved = await savePhotos(ask, form, listing, 'Your listing was added')
  if (unsaved) return data(unsaved, 400)
  return leadsTo('/your-listings', 'added')
}

/** Saves the form as a draft, finished or not, with its photos. Continues on the page of the draft. */
async function saveDraft(ask: Ask, form: FormData) {
  const id = Number(form.get('draft_id')) || undefined
  const body = { fields: withNewRows(textsIn(form)) }
  if (!id && !photoOf(form) && isUntouched(control => body.fields[control]))
    return data(nothingToSave(form), 400)
  const key = String(form.get('key') ?? '')
  const save = async () => {
    await requireSameAccount(ask, form)
    return id
      ? ask('PUT /api/drafts/:draftId', { params: { draftId: id }, body, headers: draftVersionOf(form) })
      : ask('POST /api/drafts/', { body, headers: key ? { 'idempotency-key': key } : {} })
  }
  const { response: draft, problem } = await attempt(save())
  if (problem) return data(await notSaved(ask, form, id, problem), problem.status || 503)
  markFormSaved()
  const { unsaved } = await saveDraftPhotos(ask, form, draft)
  return leadsTo(`/drafts/${draft.id}`, unsaved ? 'photo-lost' : 'saved')
}

export const handle = { title: () => 'Add a listing' }
