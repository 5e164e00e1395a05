import { type LoaderFunctionArgs, redirect } from 'react-router'
import { requireLogin } from '#accounts/web/person.ts'
import { apiOf } from '#ui/api-client.ts'
import { pageAt } from '#ui/page-at.ts'
import { PAGE_SIZE } from '#ui/page-size.ts'

/** A page of the user's conversations without an order. */
export async function loader(args: LoaderFunctionArgs) {
  await requireLogin(args)
  const url = new URL(args.request.url)
  const cursor = url.searchParams.get('cursor') ?? undefined
  const query = { limit: PAGE_SIZE, cursor }
  const page = await pageAt(url, apiOf(args)('GET /api/messages/', { query }))
  if (cursor !== undefined && page.conversations.length === 0) throw redirect('/messages')
  return page
}

export const handle = { title: () => 'Messages' }
