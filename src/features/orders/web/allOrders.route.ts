import { type LoaderFunctionArgs, redirect } from 'react-router'
import { requireLogin } from '#accounts/web/person.ts'
import { apiOf } from '#ui/api-client.ts'
import { pageAt } from '#ui/page-at.ts'
import { PAGE_SIZE } from '#ui/page-size.ts'

/** A page of the user's orders in every state. */
export async function loader(args: LoaderFunctionArgs) {
  await requireLogin(args)
  const url = new URL(args.request.url)
  const cursor = url.searchParams.get('cursor') ?? undefined
  const page = await pageAt(url, apiOf(args)('GET /api/orders/all', { query: { limit: PAGE_SIZE, cursor } }))
  if (cursor !== undefined && page.orders.length === 0) throw redirect('/orders')
  return page
}

export const handle = { title: () => 'All your orders' }
