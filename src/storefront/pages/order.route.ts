import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { requireLoginUnlessTyped } from '#accounts/web/person.ts'
import type { Conversation } from '#messages/contract.ts'
import { changeConversation, conversationOf } from '#messages/web/conversation.ts'
import type { AgainLine, OwnOrder } from '#orders/own-contract.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import type { Handle } from '#ui/page-title.ts'

export interface OrderPage {
  orderId: string
  /** Null if the session has ended, and a message was typed. */
  order: OwnOrder | null
  conversation: Conversation | null
}

/** An order for its shopper, with its messages. @throws Problem 404 for any other user */
export async function loader(args: LoaderFunctionArgs): Promise<OrderPage> {
  const { orderId = '' } = args.params
  if (!(await requireLoginUnlessTyped(args))) return { orderId, order: null, conversation: null }
  const [order, conversation] = await Promise.all([
    apiOf(args)('GET /api/orders/:orderId/detail', { params: { orderId } }),
    conversationOf(args),
  ])
  return { orderId, order, conversation }
}

export interface OrderResult {
  /** Success message. */
  done?: string
  problems?: string[]
  /** What was bought again, where something is missing. */
  again?: AgainLine[]
}

/** Messages of forms sent without scripts. */
export const DONE = {
  received: { done: 'Thank you. The maker can see that it has arrived' },
} satisfies Record<string, OrderResult>

/** Sends a message, says that a parcel was received, or buys the pieces again. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const spoken = await changeConversation(args, form)
  if (spoken !== undefined) return spoken
  const ask = apiOf(args)
  const params = { orderId: args.params.orderId ?? '' }
  switch (form.get('intent')) {
    case 'received': {
      const body = { parcel: Number(form.get('parcel')) }
      const { problem } = await attempt(ask('POST /api/orders/:orderId/received', { params, body }))
      if (problem) return data<OrderResult>({ problems: problem.errors }, problem.status || 503)
      return accepted<OrderResult>(args.request, DONE.received, 'received')
    }
    case 'again': {
      const { response, problem } = await attempt(ask('POST /api/orders/:orderId/again', { params }))
      if (problem) return data<OrderResult>({ problems: problem.errors }, problem.status || 503)
      const isWhole = response.lines.every(({ reason }) => reason === null)
      // To load the page again, and so to send this again, adds nothing.
      return isWhole ? redirect('/cart') : data<OrderResult>({ again: response.lines })
    }
    default:
      return data<OrderResult>({ problems: ['This form is not one of ours'] }, 400)
  }
}

export { keepsNew as shouldRevalidate } from '#messages/web/conversation.ts'

export const handle: Handle<OrderPage> = { title: ({ orderId }) => `Order #${orderId}` }
