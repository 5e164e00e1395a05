import { type ActionFunctionArgs, redirect } from 'react-router'
import { apiOf, attempt } from '#ui/api-client.ts'
import { refused } from '#ui/flash.ts'

export { loader } from './editReview.route.ts'

/** Deletes the user's own review, then returns to the listing. */
export async function action(args: ActionFunctionArgs) {
  const id = args.params.productId ?? ''
  const { problem } = await attempt(apiOf(args)('DELETE /api/reviews/:id/delete-review', { params: { id } }))
  if (problem) return refused(problem)
  return redirect(`/products/${id}`)
}

export const handle = { title: () => 'Delete your review' }
