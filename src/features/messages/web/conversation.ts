import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { keepTyped } from '#accounts/web/person.ts'
import { accountIn, requireSameAccount } from '#accounts/web/same-account.ts'
import { fieldErrors } from '#contract'
import type { FieldErrors } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, type Refusal } from '#ui/flash.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { pageAt } from '#ui/page-at.ts'
import { textFieldsOf } from '#ui/text-fields.ts'
import { type Conversation, NewMessage } from '../contract.ts'

/** Messages on one page. */
const PAGE_SIZE = 50
/** Query parameter with the cursor of earlier messages. */
export const EARLIER = 'messages'

/** Query parameter with the id of the listing that a shopper asks about. */
export const ABOUT = 'about'

/** The result of sending a message. */
interface MessageResult extends Refusal {
  fields?: FieldErrors
  /** Id of the sent message. */
  sent?: number
  /** What was typed. */
  typed: string
  /** Idempotency key of the next try. */
  key: string
}
/** The result of an action that `changeConversation` has handled. */
export interface ConversationResult {
  conversation: MessageResult
}

/** The calls about the messages of a page. */
export interface Wire {
  send: (message: {
    headers: { 'idempotency-key': string }
    body: { text: string }
  }) => Promise<{ id: number }>
  markRead: (body: { up_to: number }) => Promise<unknown>
}

/**
 * For a loader: the part of the messages that the address asks for, or the newest ones. Throws a redirect to the newest ones
 * if the cursor of the address is damaged.
 * @param read makes the call
 */
export function messagesAt<Page>(
  { request }: LoaderFunctionArgs,
  read: (query: { limit: number; cursor: string | undefined }) => Promise<Page>,
): Promise<Page> {
  const url = new URL(request.url)
  const cursor = url.searchParams.get(EARLIER) ?? undefined
  return pageAt(url, read({ limit: PAGE_SIZE, cursor }), EARLIER)
}

/** For a loader: the messages of the order in the address, as `messagesAt`. */
export function conversationOf(args: LoaderFunctionArgs): Promise<Conversation> {
  const params = { orderId: args.params.orderId ?? '' }
  return messagesAt(args, query => apiOf(args)('GET /api/orders/:orderId/messages', { params, query }))
}

/** The calls about the order in the address. */
function ofOrder(args: ActionFunctionArgs): Wire {
  const params = { orderId: args.params.orderId ?? '' }
  const ask = apiOf(args)
  return {
    send: message => ask('POST /api/orders/:orderId/messages', { params, ...message }),
    markRead: body => ask('POST /api/orders/:orderId/messages/read', { params, body }),
  }
}

/**
 * For an action: sends a message, or marks messages as read.
 * @param wire the calls; default: about the order in the address
 * @returns undefined if the form is not one of a conversation
 */
export async function changeConversation(
  args: ActionFunctionArgs,
  form: FormData,
  { send, markRead }: Wire = ofOrder(args),
) {
  switch (form.get('intent')) {
    case 'read': {
      const { problem } = await attempt(markRead({ up_to: Number(form.get('up_to')) }))
      // Nothing is lost: they stay unread until the next visit.
      return problem ? data(null, problem.status || 503) : accepted(args.request, null)
    }
    case 'message':
      return write(args, form, send, ({ id }, typed) =>
        accepted(args.request, { conversation: { sent: id, typed, key: newIdempotencyKey() } }, 'message'),
      )
    default:
      return undefined
  }
}

/**
 * Whether a page with a conversation revalidates: not after its messages were marked as read, so that new ones stay
 * highlighted; nor after the session has ended, so that the typed text stays.
 */
export const keepsNew = ({ formData, actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate && formData?.get('intent') !== 'read' && actionStatus !== 401

/** Sends the message of a form. @param sent makes the result from the response of the call, and from what was typed */
export async function write<A, R>(
  args: ActionFunctionArgs,
  form: FormData,
  send: (message: Parameters<Wire['send']>[0]) => Promise<A>,
  sent: (response: A, typed: string) => R,
) {
  keepTyped(args)
  const typed = textFieldsOf(form).text ?? ''
  const key = String(form.get('key') ?? '') || newIdempotencyKey()
  const account = accountIn(form)
  const refused = (result: Omit<MessageResult, 'typed' | 'key'>, status: number) =>
    data(
      { conversation: { ...result, typed, account, key: status === 422 ? newIdempotencyKey() : key } },
      status,
    )
  const body = messageOf(form)
  const fields = fieldErrors(NewMessage, body)
  if (fields) return refused({ fields }, 400)
  const sending = async () => {
    await requireSameAccount(apiOf(args), form)
    return send({ headers: { 'idempotency-key': key }, body })
  }
  const { response, problem } = await attempt(sending())
  if (problem) {
    const { status, errors: problems } = problem
    return refused({ problems, loginNeeded: status === 401 }, status || 503)
  }
  return sent(response, typed)
}

/** A form's message as the API takes it. */
export const messageOf = (form: FormData) => ({
  text: String(form.get('text') ?? ''),
})
