import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { hasTyped, keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import type { Id } from '#contract'
import type { Conversation } from '#messages/contract.ts'
import { changeConversation, conversationOf } from '#messages/web/conversation.ts'
import type { FieldErrors } from '#problem'
import { type Ask, apiOf, attempt } from '#ui/api-client.ts'
import { accepted, type Refusal, refused } from '#ui/flash.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import type { Handle } from '#ui/page-title.ts'
import { textFieldsOf } from '#ui/text-fields.ts'
import type { Sale } from '../contract.ts'
import { bodyOf, type Intent, intents, validateSale } from './saleForm.ts'

export interface SalePage {
  orderId: string
  /** Null if something was typed, and the session has ended or is that of another account. */
  sale: Sale | null
  conversation: Conversation | null
  account?: Id
  /** Idempotency key of the forms. */
  key: string
}

/** An order for its maker, with its messages. @throws Problem 404 for any other user */
export async function loader(args: LoaderFunctionArgs): Promise<SalePage> {
  const { orderId = '' } = args.params
  const own = { orderId, key: newIdempotencyKey() }
  const user = await requireLoginUnlessTyped(args)
  const none = { ...own, sale: null, conversation: null }
  if (!user) return none
  const { response, problem } = await attempt(
    Promise.all([apiOf(args)('GET /api/sales/:orderId', { params: { orderId } }), conversationOf(args)]),
  )
  if (problem?.status === 404 && hasTyped(args)) return none
  if (problem) throw problem
  const [sale, conversation] = response
  return { ...own, sale, conversation, account: user.id }
}

export interface SaleResult extends Refusal {
  /** Success message. */
  done?: string
  /** Which form it was, and the event that it is about. */
  intent?: Intent
  about?: string
  /** Revision of the order that the form was about. */
  revision?: string
  fields?: FieldErrors
  /** Typed values that are not saved. */
  typed?: Record<string, string>
  /** Idempotency key, if a retry must be the same attempt. */
  key?: string
}

/** Messages of forms sent without scripts. */
export const DONE = {
  sent: { done: 'Marked as sent. The shopper gets a letter soon' },
  tracked: { done: 'The tracking number is saved' },
  ready: { done: 'Marked as ready. The shopper gets a letter soon' },
  collected: { done: 'Marked as collected' },
  cancelled: { done: 'Cancelled, and back in your stock where still for sale. The shopper is told why' },
  paid: { done: 'The payment is recorded' },
  refunded: { done: 'The refund is recorded. The shopper gets a letter soon' },
  undone: { done: 'Taken back' },
} satisfies Record<Intent, SaleResult>

/** Sends a message, or does to the order what its form says. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const spoken = await changeConversation(args, form)
  if (spoken !== undefined) return spoken
  keepTyped(args)
  const intent = intents.find(each => each === form.get('intent'))
  if (!intent) return data<SaleResult>({ problems: ['This form is not one of ours'] }, 400)
  const about = String(form.get('about') ?? '')
  const key = String(form.get('key') ?? '') || newIdempotencyKey()
  const sent = { intent, about, typed: textFieldsOf(form), key }
  const fields = validateSale(intent, form)
  if (fields) return data<SaleResult>({ ...sent, fields }, 400)
  const { problem } = await attempt(
    send(apiOf(args), args.params.orderId ?? '', { intent, about, key, form }),
  )
  if (problem) {
    const next = problem.status === 422 ? newIdempotencyKey() : key
    const { revision } = sent.typed
    return refused<SaleResult>(problem, { ...sent, revision, key: next })
  }
  return accepted<SaleResult>(args.request, DONE[intent], intent)
}

interface Sent {
  intent: Intent
  about: string
  key: string
  form: FormData
}

/** Each form of the page has a key of its own, made from that of the page. */
function send(ask: Ask, orderId: string, { intent, about, key, form }: Sent): Promise<Sale> {
  const headers = { 'idempotency-key': [key, intent, about].filter(Boolean).join('.') }
  const params = { orderId }
  const ofEvent = { orderId, eventId: about }
  const body = bodyOf(intent, form) as never
  switch (intent) {
    case 'sent':
      return ask('POST /api/sales/:orderId/parcels', { params, headers, body })
    case 'tracked':
      return ask('POST /api/sales/:orderId/parcels/:eventId/tracking', { params: ofEvent, headers, body })
    case 'ready':
      return ask('POST /api/sales/:orderId/ready', { params, headers })
    case 'collected':
      return ask('POST /api/sales/:orderId/collected', { params, headers, body })
    case 'cancelled':
      return ask('POST /api/sales/:orderId/cancel', { params, headers, body })
    case 'paid':
      return ask('POST /api/sales/:orderId/payments', { params, headers, body })
    case 'refunded':
      return ask('POST /api/sales/:orderId/refunds', { params, headers, body })
    case 'undone':
      return ask('POST /api/sales/:orderId/events/:eventId/undo', { params: ofEvent, headers })
  }
}

/**
 * Loads the order again after a refusal too, because something has changed; not if the shop is unavailable or the session has
 * ended. Messages that are read stay marked.
 */
export const shouldRevalidate = ({
  formData,
  actionStatus = 200,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean => {
  if (formData?.get('intent') === 'read' || actionStatus === 401 || actionStatus >= 500) return false
  return defaultShouldRevalidate || actionStatus >= 400
}

export const handle: Handle<SalePage> = { title: ({ orderId }) => `Order #${orderId}`, hasKey: true }
