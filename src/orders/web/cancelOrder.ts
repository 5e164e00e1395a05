import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirectDocument } from 'react-router'
import { personOf } from '#accounts/web/person.ts'
import { apiOf, attempt } from '#web/api.ts'
import { NOT_PENDING } from '../contract.ts'

/** The person's orders and the one to cancel, null where there is none (any more). */
export async function loader(args: LoaderFunctionArgs) {
  await personOf(args)
  const orders = await apiOf(args)('GET /api/orders/')
  const order = orders.find(({ id }) => String(id) === args.params.orderId) ?? null
  return data({ orders, order }, order ? 200 : 404)
}

/** Cancels the order if it is still pending, then loads the orders anew. */
export async function action(args: ActionFunctionArgs) {
  const ask = apiOf(args)
  const orderId = args.params.orderId ?? ''
  const { answer: orders, problem: unknown } = await attempt(ask('GET /api/orders/'))
  if (unknown) return data({ problems: unknown.errors }, unknown.status || 503)
  if (orders.find(({ id }) => String(id) === orderId)?.status !== 'Pending')
    return data({ problems: [NOT_PENDING] }, 409)
  const { problem } = await attempt(ask('DELETE /api/orders/:orderId/delete-order', { params: { orderId } }))
  if (problem) return data({ problems: problem.errors }, problem.status || 503)
  return redirectDocument('/orders/view')
}

export const handle = { title: () => 'Cancel order' }
