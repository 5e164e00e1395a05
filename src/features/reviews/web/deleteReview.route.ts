import { type ActionFunctionArgs, redirect } from 'react-router'
import { accountIn, refuseOtherAccount } from '#accounts/web/same-account.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { refused } from '#ui/flash.ts'

export { loader } from './editReview.route.ts'

/** Deletes the user's own review, then returns to the listing. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const id = args.params.productId ?? ''
  const ask = apiOf(args)
  const remove = async () => {
    await refuseOtherAccount(ask, form)
    await ask('DELETE /api/reviews/:id/delete-review', { params: { id } })
  }
  const { problem } = await attempt(remove())
  if (problem) return refused(problem, { account: accountIn(form) })
  return redirect(`/products/${id}`)
}

export const handle = { title: () => 'Delete your review' }
