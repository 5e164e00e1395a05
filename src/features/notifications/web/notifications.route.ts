import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  redirect,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { requireLogin } from '#accounts/web/person.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import { pageAt } from '#ui/page-at.ts'
import { PAGE_SIZE } from '#ui/page-size.ts'
import type { NotificationPage } from '../contract.ts'

/** A page of the user's notifications. */
export async function loader(args: LoaderFunctionArgs): Promise<NotificationPage> {
  await requireLogin(args)
  const url = new URL(args.request.url)
  const cursor = url.searchParams.get('cursor') ?? undefined
  const query = { limit: PAGE_SIZE, cursor }
  const page = await pageAt(url, apiOf(args)('GET /api/notifications/', { query }))
  // What was on a further page is deleted.
  if (cursor !== undefined && page.notifications.length === 0 && page.next_cursor === null)
    throw redirect('/notifications')
  return page
}

/** Marks notifications as read. */
export async function action(args: ActionFunctionArgs) {
  const newest = String((await args.request.formData()).get('newest') ?? '')
  const { problem } = await attempt(apiOf(args)('POST /api/notifications/seen', { body: { newest } }))
  // Nothing is lost: they stay unread until the next visit.
  return problem ? data(null, problem.status || 503) : accepted(args.request, null)
}

/** What was unread when the page was opened stays marked while it is read. */
export const shouldRevalidate = ({ formData, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate && !formData?.has('newest')

export const handle = { title: () => 'Notifications' }
