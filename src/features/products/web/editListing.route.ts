import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { hasTyped, keepTyped } from '#accounts/web/person.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { leadsTo } from '#ui/flash.ts'
import type { Handle } from '#ui/page-title.ts'
import { choicesOf, NO_CHOICES } from './choices.ts'
import {
  headersOf,
  invalidResult,
  parseListing,
  refusedListing,
  storedListing,
  validateListing,
} from './parseListing.ts'
import { savePhotos } from './savePhotos.ts'
import { markFormSaved } from './unsaved-form.ts'

/** The listing with its details and delivery, for its seller. Others are redirected home, unless a refused form is shown. */
export async function loader(args: LoaderFunctionArgs) {
  const ask = apiOf(args)
  const { response: user, problem } = await attempt(ask('GET /api/auth/'))
  if (problem && problem.status !== 401) throw problem
  if (!user && !hasTyped(args)) throw redirect('/')
  const { profiles, sections } = user ? await choicesOf(ask) : NO_CHOICES
  const { response, problem: gone } = await attempt(storedListing(ask, args.params.productId ?? ''))
  if (gone && !(gone.status === 404 && hasTyped(args))) throw gone
  // The listing is no longer for sale: what was typed is shown again, to be copied.
  if (!response)
    return {
      listing: undefined,
      details: { sections, saved: undefined },
      delivery: { profiles, saved: undefined },
    }
  const [listing, details, postage] = response
  if (user && listing.seller_id !== user.id) throw redirect('/')
  return {
    listing,
    details: { sections, saved: details },
    delivery: { profiles, saved: postage },
  }
}

/** Saves the listing, then its photos. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const ask = apiOf(args)
  const fields = validateListing(form, 'optional')
  if (fields) return data(invalidResult(form, fields), 400)
  const id = Number(args.params.productId)
  const saving = ask('PUT /api/products/:id', {
    params: { id },
    body: { id, ...parseListing(form) },
    ...headersOf(form),
  })
  const { response: listing, problem } = await attempt(saving)
  if (problem?.status === 403) throw redirect('/')
  if (problem) return data(await refusedListing(ask, form, id, problem), problem.status || 503)
  const unsaved = await savePhotos(ask, form, listing, 'Your changes were saved')
  if (unsaved) return data(unsaved, 400)
  markFormSaved()
  return leadsTo('/your-listings', 'saved')
}

export const handle: Handle = { title: () => 'Update your listing', hasKey: true }
