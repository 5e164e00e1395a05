import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { keepDraft } from '#accounts/web/person.ts'
import { fieldErrors } from '#contract'
import type { FieldErrors } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import { textFieldsOf } from '#ui/form-draft.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { type Conversation, NewMessage } from '../contract.ts'

/** Messages on one page. */
const PAGE_SIZE = 50
/** Query parameter with the cursor of earlier messages. */
export const EARLIER = 'messages'

/** What became of a message. */
interface MessageResult {
  fields?: FieldErrors
  problems?: string[]
  /** The session has ended. */
  loginNeeded?: boolean
  /** Id of the sent message. */
  sent?: number
  /** What was typed. */
  draft: string
  /** Idempotency key of the next try. */
  key: string
}
/** The result of an action that `changeConversation` has handled. */
export interface ConversationResult {
  conversation: MessageResult
}

/** For a loader: the messages of the order in the address, the newest ones or those that the address asks for. */
export function conversationOf(args: LoaderFunctionArgs): Promise<Conversation> {
  const cursor = new URL(args.request.url).searchParams.get(EARLIER) ?? undefined
  const params = { orderId: args.params.orderId ?? '' }
  return apiOf(args)('GET /api/orders/:orderId/messages', { params, query: { limit: PAGE_SIZE, cursor } })
}

/**
 * For an action: sends a message, or marks messages as read.
 * @returns undefined if the form is not one of a conversation
 */
export async function changeConversation(args: ActionFunctionArgs, form: FormData) {
  const params = { orderId: args.params.orderId ?? '' }
  switch (form.get('intent')) {
    case 'read': {
      const body = { up_to: Number(form.get('up_to')) }
      const { problem } = await attempt(
        apiOf(args)('POST /api/orders/:orderId/messages/read', { params, body }),
      )
      // Nothing is lost: they stay unread until the next visit.
      return problem ? data(null, problem.status || 503) : accepted(args.request, null)
    }
    case 'message':
      return send(args, params, form)
    default:
      return undefined
  }
}

async function send(args: ActionFunctionArgs, params: { orderId: string }, form: FormData) {
  keepDraft(args)
  const draft = textFieldsOf(form).text ?? ''
  const key = String(form.get('key') ?? '') || newIdempotencyKey()
  const refused = (result: Omit<MessageResult, 'draft' | 'key'>, status: number) =>
    data({ conversation: { ...result, draft, key: status === 422 ? newIdempotencyKey() : key } }, status)
  const body = messageOf(form)
  const fields = fieldErrors(NewMessage, body)
  if (fields) return refused({ fields }, 400)
  const headers = { 'idempotency-key': key }
  const { answer, problem } = await attempt(
    apiOf(args)('POST /api/orders/:orderId/messages', { params, headers, body }),
  )
  if (problem) {
    const { status, errors: problems } = problem
    return refused({ problems, loginNeeded: status === 401 }, status || 503)
  }
  return accepted(args.request, { conversation: { sent: answer.id, draft, key: newIdempotencyKey() } })
}

/** A form's message as the API takes it. Browsers send line ends as two characters. */
export const messageOf = (form: FormData) => ({
  text: String(form.get('text') ?? '').replaceAll('\r\n', '\n'),
})
