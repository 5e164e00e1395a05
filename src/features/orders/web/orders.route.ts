import { type LoaderFunctionArgs, redirect } from 'react-router'
import { requireLogin } from '#accounts/web/person.ts'
import { apiOf } from '#ui/api-client.ts'
import { FLASH, leadsTo } from '#ui/flash.ts'
import { pageAt } from '#ui/page-at.ts'
import { PAGE_SIZE } from '#ui/page-size.ts'
import type { Order } from '../contract.ts'
import type { OwnOrder } from '../own-contract.ts'
import { fitting, orderCursor } from '../paging.ts'

/** A page of the user's pending orders, and the cursor of the next one. */
export interface OrderPage {
  orders: Order[]
  next: string | null
}

/** The flash message of an order that was cancelled. */
export const CANCELLED = 'cancelled'

/** How long after a purchase the page says what happens next, ms. */
const THANKS_MS = 15 * 60 * 1000
/** Most orders of one purchase for which it says so. */
const MAX_THANKED = 6

export async function loader(args: LoaderFunctionArgs): Promise<OrderPage & { placed: OwnOrder[] }> {
  await requireLogin(args)
  const page = await orderPage(args)
  const { searchParams } = new URL(args.request.url)
  // The last order of a further page was cancelled.
  if (page.orders.length === 0 && searchParams.has('cursor'))
    throw searchParams.get(FLASH) === CANCELLED
      ? leadsTo('/orders/view', CANCELLED)
      : redirect('/orders/view')
  return { ...page, placed: await placedLately(args, page.orders) }
}

/** The orders of a purchase of the last 15 minutes; none on further pages. */
async function placedLately(args: LoaderFunctionArgs, orders: Order[]): Promise<OwnOrder[]> {
  const isFresh = ({ created_at }: Order) => Date.now() - Date.parse(created_at) < THANKS_MS
  const ask = apiOf(args)
  const fresh = orders.filter(isFresh).slice(0, MAX_THANKED)
  const found = await Promise.all(
    fresh.map(({ id }) => ask('GET /api/orders/:orderId/detail', { params: { orderId: id } })),
  )
  return found.filter(({ purchase_id }) => purchase_id === found[0]?.purchase_id)
}

/** The page of an address. Requests one order more than it shows, to know whether there is another page. */
export async function orderPage(args: LoaderFunctionArgs): Promise<OrderPage> {
  const url = new URL(args.request.url)
  const query = { limit: PAGE_SIZE + 1, cursor: url.searchParams.get('cursor') ?? undefined }
  const found = await pageAt(url, apiOf(args)('GET /api/orders/', { query }))
  const orders = found.slice(0, Math.min(PAGE_SIZE, fitting(found, SHOWN_LINES)))
  const last = orders.at(-1)
  return { orders, next: found.length > orders.length && last ? orderCursor(last) : null }
}

/** Most lines on a page. The API allows more, so one further order always arrives. */
const SHOWN_LINES = 240

export const handle = { title: () => 'Your Orders' }
