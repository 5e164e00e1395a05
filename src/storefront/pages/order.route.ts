import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { hasTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import type { Id } from '#contract'
import type { Conversation } from '#messages/contract.ts'
import { changeConversation, conversationOf } from '#messages/web/conversation.ts'
import type { AgainLine, OwnOrder } from '#orders/own-contract.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import type { Handle } from '#ui/page-title.ts'

export interface OrderPage {
  orderId: string
  /** Null if a message was typed, and the session has ended or is that of another account. */
  order: OwnOrder | null
  conversation: Conversation | null
  account?: Id
}

/** An order for its shopper, with its messages. @throws Problem 404 for any other user */
export async function loader(args: LoaderFunctionArgs): Promise<OrderPage> {
  const { orderId = '' } = args.params
  const user = await requireLoginUnlessTyped(args)
  const none = { orderId, order: null, conversation: null }
  if (!user) return none
  const { response, problem } = await attempt(
    Promise.all([
      apiOf(args)('GET /api/orders/:orderId/detail', { params: { orderId } }),
      conversationOf(args),
    ]),
  )
  if (problem?.status === 404 && hasTyped(args)) return none
  if (problem) throw problem
  const [order, conversation] = response
  return { orderId, order, conversation, account: user.id }
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
