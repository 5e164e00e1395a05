import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirectDocument } from 'react-router'
import { requireLogin } from '#accounts/web/person.ts'
import { idIn } from '#id'
import { Problem } from '#problem'
import { type Ask, apiOf, attempt } from '#ui/api-client.ts'
import { FLASH } from '#ui/flash.ts'
import { pageCursorIn } from '#ui/page-cursor.ts'
import { NOT_PENDING, type Order } from '../contract.ts'
import { CANCELLED, orderPage } from './orders.route.ts'

/**
 * The page of orders below the dialog, and the order to cancel, null if it is not pending.
 * @throws Problem 404 if the user has no such order
 */
export async function loader(args: LoaderFunctionArgs) {
  await requireLogin(args)
  const [page, order] = await Promise.all([orderPage(args), pendingOrder(apiOf(args), args.params.orderId)])
  return data({ ...page, order }, order ? 200 : 409)
}

/** The order on any page of the list. @throws Problem 404 unknown or someone else's */
async function pendingOrder(ask: Ask, orderId = ''): Promise<Order | null> {
  if (!idIn(orderId)) throw new Problem(404, 'There is no such order')
  const [order] = await ask('GET /api/orders/', { query: { id: orderId } })
  return order ?? null
}

/**
 * Cancels the order if it is still pending, then reloads the orders. An order that is cancelled already, such as by a try whose
 * response was lost, is a success.
 */
export async function action(args: ActionFunctionArgs) {
  const ask = apiOf(args)
  const orderId = args.params.orderId ?? ''
  const { response: order, problem: unknown } = await attempt(pendingOrder(ask, orderId))
  if (unknown?.status === 404) throw unknown
  if (unknown) return data({ problems: unknown.errors }, unknown.status || 503)
  if (order?.status === 'Pending') {
    const { problem } = await attempt(
      ask('DELETE /api/orders/:orderId/delete-order', { params: { orderId } }),
    )
    if (problem) return data({ problems: problem.errors }, problem.status || 503)
  } else {
    const { response: now } = await attempt(ask('GET /api/orders/:orderId/detail', { params: { orderId } }))
    if (now?.state !== 'cancelled') return data({ problems: [NOT_PENDING] }, 409)
  }
  const query = new URLSearchParams(pageCursorIn(new URL(args.request.url).search))
  query.set(FLASH, CANCELLED)
  return redirectDocument(`/orders/view?${query}`)
}

export const handle = { title: () => 'Cancel order' }
