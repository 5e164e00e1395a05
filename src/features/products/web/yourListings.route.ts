import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { DEMO } from '#accounts/contract.ts'
import { personOf } from '#accounts/web/person.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { pageCursorIn } from '#ui/page-cursor.ts'
import { PAGE_SIZE } from './pageSize.ts'

/**
 * A page of the user's listings, newest first, and the one of `?delete`, from whichever page. Also the address that letters about
 * sales go to, if it is not confirmed.
 */
export async function loader(args: LoaderFunctionArgs) {
  const user = await personOf(args)
  const ask = apiOf(args)
  const { searchParams } = new URL(args.request.url)
  const cursor = searchParams.get('cursor') ?? undefined
  const id = searchParams.get('delete')
  const [address, page, named] = await Promise.all([
    ask('GET /api/auth/email'),
    ask('GET /api/products/current', { query: { limit: PAGE_SIZE, cursor } }),
    id === null ? undefined : attempt(ask('GET /api/products/:id', { params: { id } })),
  ])
  // The last listing of a further page was deleted.
  if (cursor !== undefined && page.products.length === 0) throw redirect(YOUR_LISTINGS)
  const deleting = named?.answer?.seller_id === user.id ? named.answer : null
  const unconfirmed = address.confirmed || user.email === DEMO.email ? null : address.email
  return { ...page, deleting, unconfirmed }
}

const YOUR_LISTINGS = '/your-listings'
/** Address of the same page of the list, without the delete dialog. */
export const listingsAt = (search: string): string => YOUR_LISTINGS + pageCursorIn(search)

/** Deletes a listing. A failure is only logged: the listing stays visible. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const id = String(form.get('id') ?? '0')
  const deleting = personOf(args).then(() => apiOf(args)('DELETE /api/products/:id', { params: { id } }))
  const { problem } = await attempt(deleting)
  const here = listingsAt(new URL(args.request.url).search)
  if (!problem) return redirect(here)
  if (problem.status === 403) throw redirect('/')
  // biome-ignore lint/suspicious/noConsole: the specification has this failure logged and not shown
  console.warn(`Listing ${id} was not deleted: ${problem.message}`)
  // Deleted elsewhere: reload the list.
  if (problem.status === 404) return redirect(here)
  return data(null, problem.status || 503)
}

export const handle = { title: () => 'Your Listings' }
