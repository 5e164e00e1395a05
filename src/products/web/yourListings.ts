import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { personOf } from '#accounts/web/session.ts'
import { apiOf, attempt } from '#web/api.ts'
import { PAGE_SIZE } from './pageSize.ts'

/** The person's own listings, newest first. */
export async function loader(args: LoaderFunctionArgs) {
  await personOf(args)
  const cursor = new URL(args.request.url).searchParams.get('cursor') ?? undefined
  return apiOf(args)('GET /api/products/current', { query: { limit: PAGE_SIZE, cursor } })
}

/** Deletes one listing. A failure is only logged; the listing is then still there to be seen. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const id = String(form.get('id') ?? '0')
  const deleting = personOf(args).then(() => apiOf(args)('DELETE /api/products/:id', { params: { id } }))
  const { problem } = await attempt(deleting)
  if (!problem) return redirect('/your-listings')
  // biome-ignore lint/suspicious/noConsole: the specification has this failure logged and not shown
  console.warn(`Listing ${id} was not deleted: ${problem.message}`)
  return data(null, problem.status || 503)
}

export const handle = { title: () => 'Your Listings' }
