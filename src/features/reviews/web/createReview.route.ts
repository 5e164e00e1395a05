import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { refuseOtherAccount } from '#accounts/web/same-account.ts'
import { fieldErrors } from '#contract'
import { type Ask, apiOf, attempt } from '#ui/api-client.ts'
import { leadsTo } from '#ui/flash.ts'
import type { Handle } from '#ui/page-title.ts'
import { NewReview, type ReviewInput } from '../contract.ts'
import { invalidReview, parseReview, refusedReview } from './parseReview.ts'

/** The listing. Requires a login. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLoginUnlessTyped(args)
  const params = { id: args.params.productId ?? '' }
  const { id, name, images } = await apiOf(args)('GET /api/products/:id', { params })
  return { id, name, image: images[0], account: user?.id }
}

/** Adds the review, then returns to the listing. The same review once more, after a lost response, is a success. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const body = parseReview(form)
  const fields = fieldErrors(NewReview, body)
  if (fields) return data(invalidReview(form, fields), 400)
  const params = { productId: args.params.productId ?? '' }
  const ask = apiOf(args)
  const create = async () => {
    await refuseOtherAccount(ask, form)
    await ask('POST /api/reviews/:productId/create-review', { params, body })
  }
  const { problem } = await attempt(create())
  if (problem && !(problem.status === 409 && (await isOwn(ask, params, body))))
    return refusedReview(form, problem, 'An error occurred')
  return leadsTo(`/products/${params.productId}`, 'reviewed')
}

/** Whether the user's review of the listing has these stars and this text. */
async function isOwn(ask: Ask, params: { productId: string }, { review, stars }: ReviewInput) {
  const { response: [own] = [] } = await attempt(ask('GET /api/reviews/:productId/own', { params }))
  return own?.stars === stars && own.review === review.trim()
}

export const handle: Handle<Awaited<ReturnType<typeof loader>>> = {
  title: ({ name }) => `Leave a review of ${name}`,
}
