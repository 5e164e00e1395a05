import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { fieldErrors } from '#contract'
import { idIn } from '#id'
import { Problem } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { textFieldsOf } from '#ui/text-fields.ts'
import { NO_REVIEW, Reply, type Review } from '../contract.ts'
import { partIn } from './loadReviews.ts'
import { invalidReview, refusedReview } from './parseReview.ts'

/** The review, for the listing's seller. Others are redirected to the listing. @throws Problem 404 */
export async function loader(args: LoaderFunctionArgs): Promise<Review> {
  const user = await requireLoginUnlessTyped(args)
  const ask = apiOf(args)
  const id = args.params.productId ?? ''
  const query = { id: reviewIn(args.request) }
  if (query.id === 0) throw new Problem(404, NO_REVIEW)
  const [listing, [review]] = await Promise.all([
    ask('GET /api/products/:id', { params: { id } }),
    ask('GET /api/reviews/:productId/reviews', { params: { productId: id }, query }),
  ])
  if (user && listing.seller_id !== user.id) throw redirect(`/products/${id}`)
  if (!review) throw new Problem(404, NO_REVIEW)
  return review
}

/** Review id of the address; 0 if invalid. */
const reviewIn = (request: Request): number =>
  Number(idIn(new URL(request.url).searchParams.get('review')) ?? 0)

/** Saves or deletes the reply, then returns to the listing. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const ask = apiOf(args)
  const params = { id: reviewIn(args.request) }
  const removing = form.get('intent') === 'delete'
  const body = replyOf(form)
  const fields = removing ? undefined : fieldErrors(Reply, body)
  if (fields) return data(invalidReview(form, fields), 400)
  const saving = removing
    ? ask('DELETE /api/reviews/:id/reply', { params })
    : ask('PUT /api/reviews/:id/reply', { params, body })
  const { problem } = await attempt<unknown>(saving)
  if (problem) return refusedReview(form, problem, 'An error occurred')
  const part = partIn(new URL(args.request.url).search)
  return redirect(`/products/${args.params.productId}${part}#reviews`)
}

/** A form's reply as the API takes it. */
export const replyOf = (form: FormData) => ({
  reply: String(textFieldsOf(form).reply ?? ''),
})

export const handle = { title: () => 'Reply to a review' }
