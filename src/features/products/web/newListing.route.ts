import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { keepDraft, personOrDraft } from '#accounts/web/person.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { leadsTo } from '#ui/flash.ts'
import { draftSaved } from './draft.ts'
import {
  addPhoto,
  brokenListing,
  brokenResult,
  headersOf,
  parseListing,
  refusedListing,
  savedBy,
} from './parseListing.ts'

/** The seller's postage profiles. None if the session ended while a form was refused. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await personOrDraft(args)
  return user ? (await apiOf(args)('GET /api/postage/')).profiles : []
}

/**
 * Adds the listing, then its photo. If the photo fails, the listing stays, and the form has its id, so that a retry
 * adds no second one.
 */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepDraft(args)
  const ask = apiOf(args)
  const fields = brokenListing(form, 'required')
  if (fields) return data(brokenResult(form, fields), 400)
  const body = parseListing(form)
  const id = savedBy(form)
  const saving = id
    ? ask('PUT /api/products/:id', { params: { id }, body: { id, ...body }, ...headersOf(form) })
    : ask('POST /api/products/', { body, ...headersOf(form) })
  const { answer: listing, problem } = await attempt(saving)
  if (problem) return data(await refusedListing(ask, form, id, problem), problem.status || 503)
  const withoutPhoto = await addPhoto(ask, form, listing, 'Your listing was added')
  if (withoutPhoto) return data(withoutPhoto, 400)
  draftSaved()
  return leadsTo('/your-listings', 'added')
}

export const handle = { title: () => 'Add a listing' }
