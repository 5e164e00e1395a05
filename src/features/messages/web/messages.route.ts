import { type LoaderFunctionArgs, redirect } from 'react-router'
import { personOf } from '#accounts/web/person.ts'
import { PAGE_SIZE } from '#products/web/pageSize.ts'
import { apiOf } from '#ui/api-client.ts'

/** A page of the user's conversations without an order. */
export async function loader(args: LoaderFunctionArgs) {
  await personOf(args)
  const cursor = new URL(args.request.url).searchParams.get('cursor') ?? undefined
  const page = await apiOf(args)('GET /api/messages/', { query: { limit: PAGE_SIZE, cursor } })
  if (cursor !== undefined && page.conversations.length === 0) throw redirect('/messages')
  return page
}

export const handle = { title: () => 'Messages' }
