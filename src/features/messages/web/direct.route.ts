import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { hasTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import type { Id } from '#contract'
import { idIn } from '#id'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import type { Handle } from '#ui/page-title.ts'
import type { DirectConversation } from '../contract.ts'
import { ABOUT, changeConversation, messagesAt } from './conversation.ts'

export interface DirectPage {
  /** Null if a message was typed, and the session has ended or is that of another account. */
  conversation: DirectConversation | null
  /** Name of another listing of the maker, which a shopper has come from. */
  about?: string | undefined
  account?: Id
}

const paramsOf = ({ params }: Pick<LoaderFunctionArgs, 'params'>) => ({
  conversationId: params.conversationId ?? '',
})

/** A conversation without an order. @throws Problem 404 for any user but its two sides */
export async function loader(args: LoaderFunctionArgs): Promise<DirectPage> {
  const user = await requireLoginUnlessTyped(args)
  if (!user) return { conversation: null }
  const { response: conversation, problem } = await attempt(
    messagesAt(args, query =>
      apiOf(args)('GET /api/messages/:conversationId', { params: paramsOf(args), query }),
    ),
  )
  if (problem?.status === 404 && hasTyped(args)) return { conversation: null }
  if (problem) throw problem
  return { account: user.id, conversation, about: await otherListing(args, conversation) }
}

/** Name of the listing in the address, unless the conversation began with it or it is not the maker's. */
async function otherListing(
  args: LoaderFunctionArgs,
  { role, other, listing }: DirectConversation,
): Promise<string | undefined> {
  const id = idIn(new URL(args.request.url).searchParams.get(ABOUT))
  if (id === undefined || Number(id) === listing?.id || role !== 'shopper' || other.username === null)
    return undefined
  const input = { params: { username: other.username }, query: { listing: id } }
  const { response } = await attempt(apiOf(args)('GET /api/messages/to/:username', input))
  return response?.listing?.name
}

export interface DirectResult {
  /** Success message. */
  done?: string
  problems?: string[]
}

/** Messages of forms sent without scripts. */
export const DONE = {
  sent: { done: 'Sent' },
  stopped: { done: 'The messages are stopped' },
  allowed: { done: 'Messages are allowed again' },
} satisfies Record<string, DirectResult>

/** Sends a message, marks messages as read, stops the messages, or allows them again. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const params = paramsOf(args)
  const ask = apiOf(args)
  const spoken = await changeConversation(args, form, {
    send: message => ask('POST /api/messages/:conversationId', { params, ...message }),
    markRead: body => ask('POST /api/messages/:conversationId/read', { params, body }),
  })
  if (spoken !== undefined) return spoken
  switch (form.get('intent')) {
    case 'stop':
      return changed(
        args,
        'stopped',
        await attempt(ask('PUT /api/messages/:conversationId/stop', { params })),
      )
    case 'allow':
      return changed(
        args,
        'allowed',
        await attempt(ask('DELETE /api/messages/:conversationId/stop', { params })),
      )
    default:
      return data<DirectResult>({ problems: ['This form is not one of ours'] }, 400)
  }
}

function changed(
  { request }: ActionFunctionArgs,
  flash: keyof typeof DONE,
  { problem }: Awaited<ReturnType<typeof attempt>>,
) {
  if (problem) return data<DirectResult>({ problems: problem.errors }, problem.status || 503)
  return accepted<DirectResult>(request, DONE[flash], flash)
}

export { keepsNew as shouldRevalidate } from './conversation.ts'

export const handle: Handle<DirectPage> = {
  title: ({ conversation }) => (conversation ? `Messages with ${conversation.other.name}` : 'Messages'),
}
