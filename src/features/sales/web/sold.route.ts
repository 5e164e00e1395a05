import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { requireLogin } from '#accounts/web/person.ts'
import { firstCharacters } from '#text'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, FILE_LATER, type Refusal, refused } from '#ui/flash.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { pageAt } from '#ui/page-at.ts'
import { PAGE_SIZE } from '#ui/page-size.ts'
import { type BatchResult, type ListedSale, SaleFilter, type SalesSums } from '../contract.ts'
import { EXPORT_DAYS } from '../input-contract.ts'

interface SoldPage {
  sales: ListedSale[]
  next_cursor: string | null
  sums: SalesSums
  /** As in the address. */
  filter: { state: string; search: string }
  /** Whether this is the first page, because the one in the address has no order left. */
  isGone: boolean
  /** The period of the export that the form offers. */
  period: { from: string; to: string; problem: string | undefined }
  /** Idempotency key of the form. */
  key: string
}

/** A page of the user's sales with its filters, and the sums of all of them. */
export async function loader(args: LoaderFunctionArgs): Promise<SoldPage> {
  await requireLogin(args)
  const ask = apiOf(args)
  const url = new URL(args.request.url)
  const { searchParams } = url
  const of = (name: string) => searchParams.get(name) ?? ''
  const cursor = of('cursor') || undefined
  const search = firstCharacters(of('search').trim(), 100)
  const { data: state } = SaleFilter.safeParse(of('state'))
  const query = { limit: PAGE_SIZE, cursor, state, search: search || undefined }
  const [found, sums] = await Promise.all([
    pageAt(url, ask('GET /api/sales/', { query })),
    ask('GET /api/sales/sums'),
  ])
  // All orders of a further page may have been marked: then the first one, with what the form says.
  const isGone = cursor !== undefined && found.sales.length === 0
  const page = isGone ? await ask('GET /api/sales/', { query: { ...query, cursor: undefined } }) : found
  const period = { from: of('from') || `${page.day.slice(0, 4)}-01-01`, to: of('to') || page.day }
  const problem = new Map([
    ['wrong', EXPORT_DAYS],
    ['later', FILE_LATER],
  ]).get(of('export'))
  const key = newIdempotencyKey()
  return {
    ...page,
    isGone,
    sums,
    filter: { state: state ?? '', search },
    period: { ...period, problem },
    key,
  }
}

export interface SoldResult extends Refusal {
  /** Success message. */
  done?: string
  /** Orders that were not marked, and why. */
  refused?: BatchResult['results']
  /** Idempotency key, if a retry must be the same attempt. */
  key?: string
  /** Orders that were chosen and are not marked. */
  chosen?: number[]
}

/** Messages of forms sent without scripts. */
export const DONE = {
  sent: { done: 'Marked as sent. Their shoppers get letters soon' },
  ready: { done: 'Marked as ready. Their shoppers get letters soon' },
} satisfies Record<string, SoldResult>

/** Marks the chosen orders as sent or ready. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const orders = form.getAll('order').map(Number)
  const key = String(form.get('key') ?? '')
  const intent = form.get('intent') === 'ready' ? 'ready' : 'sent'
  if (orders.length === 0) return data<SoldResult>({ problems: ['Choose at least one order'] }, 400)
  const headers: Record<string, string> = key ? { 'idempotency-key': `${key}.${intent}` } : {}
  const { response, problem } = await attempt(
    apiOf(args)('POST /api/sales/batch', { headers, body: { orders, action: intent } }),
  )
  if (problem) return refused<SoldResult>(problem, { key, chosen: orders })
  const stay = response.results.filter(({ done }) => !done)
  // To load the page again, and so to send this again, marks nothing more.
  if (stay.length > 0) {
    const count = response.results.length - stay.length
    const done = count === 1 ? `1 order is marked as ${intent}` : `${count} orders are marked as ${intent}`
    const chosen = stay.map(({ id }) => id)
    return data<SoldResult>({ ...(count > 0 ? { done } : {}), refused: stay, chosen }, 409)
  }
  return accepted<SoldResult>(args.request, DONE[intent], intent)
}

/** Reloads after a refusal too, because something has changed. Not if the shop is unavailable, or the session has ended. */
export const shouldRevalidate = ({ actionStatus = 200 }: ShouldRevalidateFunctionArgs): boolean =>
  actionStatus < 500 && actionStatus !== 401

export const handle = { title: () => 'Sold', hasKey: true }
