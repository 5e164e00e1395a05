import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { refuseOtherAccount } from '#accounts/web/same-account.ts'
import { fieldErrors, type Id } from '#contract'
import { apiOf, attempt } from '#ui/api-client.ts'
import { leadsTo } from '#ui/flash.ts'
import { EditedReview, type OwnReview } from '../contract.ts'
import { invalidReview, parseReview, refusedReview } from './parseReview.ts'

/** The user's own review of the listing, also a hidden one, null without one. */
export async function loader(args: LoaderFunctionArgs): Promise<(OwnReview & { account?: Id }) | null> {
  const user = await requireLoginUnlessTyped(args)
  const params = { productId: args.params.productId ?? '' }
  const ask = apiOf(args)
  // Without a user it only checks that the listing exists.
  const query = { author: user?.id, limit: 1 }
  const [review] = await ask('GET /api/reviews/:productId/reviews', { params, query })
  if (!user) return null
  if (review) return { ...review, hidden: false, account: user.id }
  const [hidden = null] = await ask('GET /api/reviews/:productId/own', { params })
  return hidden
}

/** Saves the review, then returns to the listing. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const body = parseReview(form)
  const fields = fieldErrors(EditedReview, body)
  if (fields) return data(invalidReview(form, fields), 400)
  const id = args.params.productId ?? ''
  const ask = apiOf(args)
  const save = async () => {
    await refuseOtherAccount(ask, form)
    await ask('POST /api/reviews/:id/edit-review/', { params: { id }, body })
  }
  const { problem } = await attempt(save())
  if (problem) return refusedReview(form, problem, 'Failed to edit this review')
  return leadsTo(`/products/${id}`, 'changed')
}

export const handle = { title: () => 'Edit your review' }
