import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from 'react-router'
import { shopPath } from '#accounts/web/MakerLink.tsx'
import { hasTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { usernameIn } from '#accounts/web/username-in.ts'
import type { Id } from '#contract'
import { idIn } from '#id'
import { apiOf, attempt } from '#ui/api-client.ts'
import { leadsTo } from '#ui/flash.ts'
import type { Handle } from '#ui/page-title.ts'
import type { FirstMessage } from '../contract.ts'
import { ABOUT, write } from './conversation.ts'

export interface WritePage {
  /** Who is written to, as the address says. */
  username: string
  /** Null if the session has ended, and a message was typed. */
  first: FirstMessage | null
  account?: Id
}

const usernameOf = ({ request }: Pick<LoaderFunctionArgs, 'request'>) => usernameIn(new URL(request.url), 3)

/** Id of the listing that the user came from. */
const listingIn = ({ request }: Pick<LoaderFunctionArgs, 'request'>) =>
  idIn(new URL(request.url).searchParams.get('listing'))

/**
 * The maker of a first message.
 * @throws a redirect to an existing conversation, or, for oneself, to the own page; Problem 404 for an unknown maker
 */
export async function loader(args: LoaderFunctionArgs): Promise<WritePage> {
  const username = usernameOf(args)
  const user = await requireLoginUnlessTyped(args)
  if (!user) return { username, first: null }
  const listing = listingIn(args)
  const { response: first, problem } = await attempt(
    apiOf(args)('GET /api/messages/to/:username', { params: { username }, query: { listing } }),
  )
  // The form of another account: what is typed stays.
  if (problem?.status === 409 && hasTyped(args)) return { username, first: null }
  // Oneself: before the login the link was there.
  if (problem?.status === 409)
    throw redirect(listing === undefined ? shopPath(username) : `/products/${listing}`)
  if (problem) throw problem
  // After a refused message, what is typed is shown again.
  if (first.conversation !== null && !hasTyped(args))
    throw redirect(
      `/messages/${first.conversation}${listing === undefined ? '' : `?${ABOUT}=${listing}`}#messages`,
    )
  return { username, first, account: user.id }
}

/** Sends the first message, and leads to the conversation. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const params = { username: usernameOf(args) }
  const listing = listingIn(args)
  return write(
    args,
    form,
    ({ headers, body }) =>
      apiOf(args)('POST /api/messages/to/:username', {
        params,
        headers,
        body: listing === undefined ? body : { ...body, listing: Number(listing) },
      }),
    ({ conversation }) => leadsTo(`/messages/${conversation}`, 'sent'),
  )
}

export const handle: Handle<WritePage> = {
  title: ({ username, first }) => `Write to ${first?.other.name ?? username}`,
}
