import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { hasDraft, keepDraft } from '#accounts/web/person.ts'
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
} from './parseListing.ts'

/** The listing with its delivery, for its seller. Others are redirected home, unless a refused form is shown. */
export async function loader(args: LoaderFunctionArgs) {
  const ask = apiOf(args)
  const { answer: user, problem } = await attempt(ask('GET /api/auth/'))
  if (problem && problem.status !== 401) throw problem
  if (!user && !hasDraft(args)) throw redirect('/')
  const params = { id: args.params.productId ?? '' }
  const [listing, saved] = await Promise.all([
    ask('GET /api/products/:id', { params }),
    ask('GET /api/products/:id/postage', { params }),
  ])
  if (user && listing.seller_id !== user.id) throw redirect('/')
  const profiles = user ? (await ask('GET /api/postage/')).profiles : []
  return { listing, delivery: { profiles, saved } }
}

/** Saves the listing, then its new photo, if any. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepDraft(args)
  const ask = apiOf(args)
  const fields = brokenListing(form, 'optional')
  if (fields) return data(brokenResult(form, fields), 400)
  const id = Number(args.params.productId)
  const saving = ask('PUT /api/products/:id', {
    params: { id },
    body: { id, ...parseListing(form) },
    ...headersOf(form),
  })
  const { answer: listing, problem } = await attempt(saving)
  if (problem?.status === 403) throw redirect('/')
  if (problem) return data(await refusedListing(ask, form, id, problem), problem.status || 503)
  const withoutPhoto = await addPhoto(ask, form, listing, 'Your changes were saved')
  if (withoutPhoto) return data(withoutPhoto, 400)
  draftSaved()
  return leadsTo('/your-listings', 'saved')
}

export const handle = { title: () => 'Update your listing' }
