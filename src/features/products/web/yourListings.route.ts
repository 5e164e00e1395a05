import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { DEMO } from '#accounts/contract.ts'
import { keepTyped, requireLogin, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import type { FieldErrors } from '#problem'
import { type Ask, apiOf, attempt } from '#ui/api-client.ts'
import { accepted, FILE_LATER, type Refusal } from '#ui/flash.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { pageAt } from '#ui/page-at.ts'
import { PAGE_SIZE } from '#ui/page-size.ts'
import { textFieldsOf } from '#ui/text-fields.ts'
import { savePrices, type UnsavedPrice, unsavedPrices } from './priceForm.ts'
import { listingsAt, queryOf, type Shelf, shelfIn, YOUR_LISTINGS } from './shelfQuery.ts'

/**
 * A page of the user's listings, and the one of `?delete`, from whichever page. Also the address that letters about
 * sales go to, if it is not confirmed; the listings that lack something; whether the shop is suspended.
 */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLoginUnlessTyped(args)
  const ask = apiOf(args)
  const url = new URL(args.request.url)
  const { search, searchParams } = url
  const shelf = shelfIn(search)
  const key = newIdempotencyKey()
  if (!user) return { ...NOTHING, shelf, key }
  const cursor = searchParams.get('cursor') ?? undefined
  const id = searchParams.get('delete')
  const [address, page, named, { count: drafts }, lacking, { suspended }] = await Promise.all([
    ask('GET /api/auth/email'),
    pageAt(url, pageOf(ask, shelf, cursor)),
    id === null ? undefined : attempt(ask('GET /api/products/:id', { params: { id } })),
    ask('GET /api/drafts/', { query: { limit: 1 } }),
    ask('GET /api/products/lacking-safety'),
    ask('GET /api/selling/'),
  ])
  // The last listing of a further page was deleted or retired.
  if (cursor !== undefined && page.products.length === 0) {
    const query = queryOf(shelf)
    throw redirect(query.size > 0 ? `${YOUR_LISTINGS}?${query}` : YOUR_LISTINGS)
  }
  const own = named?.response?.seller_id === user.id ? named.response : null
  // A retired one is known to this page alone.
  const deleting = own ?? page.products.find(listing => String(listing.id) === id) ?? null
  const unconfirmed = address.confirmed || user.email === DEMO.email ? null : address.email
  return { ...page, deleting, unconfirmed, shelf, drafts, lacking, suspended, key }
}

/** The session has ended. */
const NOTHING = {
  products: [],
  next_cursor: null,
  deleting: null,
  unconfirmed: null,
  drafts: 0,
  lacking: { count: 0, first: [] },
  suspended: false,
}

function pageOf(ask: Ask, { state, q, soldOut, sort }: Shelf, cursor: string | undefined) {
  const retired = state === 'retired' ? 'true' : undefined
  const filter = { name: q || undefined, retired, sold_out: soldOut ? 'true' : undefined }
  return ask('GET /api/products/shelf', { query: { limit: PAGE_SIZE, cursor, ...filter, sort } })
}

export interface ShelfResult extends Refusal {
  done?: string
  /** Of prices and stocks, by control. */
  fields?: FieldErrors
  /** Prices and stocks that are not saved, by control. */
  typed?: Record<string, string>
  /** If the session has ended, without scripts: the typed prices and stocks, because the page has no listings. */
  unsaved?: UnsavedPrice[]
}
/** Messages, also of forms sent without scripts. */
export const DONE = {
  added: { done: 'Saved. Your new piece is on top' },
  saved: { done: 'Your changes are saved' },
  priced: { done: 'Your prices and stock are saved' },
  changed: { done: 'Your change is made' },
  retired: { done: 'Retired. You find it under Retired, and can bring it back' },
  restored: { done: 'It is back in your shop' },
  later: { problems: [FILE_LATER] },
} satisfies Record<string, ShelfResult>

/** Saves prices and stock, or deletes, retires or brings back a listing, by the pressed button. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const id = String(form.get('id') ?? '0')
  switch (form.get('intent')) {
    case 'prices':
      return price(args, form)
    case 'retire':
      return move(args, id, 'retired')
    case 'restore':
      return move(args, id, 'restored')
    default:
      return remove(args, id)
  }
}

async function price(args: ActionFunctionArgs, form: FormData) {
  keepTyped(args)
  const ask = apiOf(args)
  const { saved, fields, problems, status } = await savePrices(ask, form)
  if (status === 200) return accepted<ShelfResult>(args.request, DONE.priced, 'priced')
  // After a conflict those that are saved show what is stored.
  const typed = Object.entries(textFieldsOf(form)).filter(([name]) => status !== 409 || name in fields)
  return data<ShelfResult>(
    {
      fields,
      problems,
      typed: Object.fromEntries(typed),
      ...(await withoutListings(ask, form, status)),
      ...(saved > 0 ? { done: saved === 1 ? '1 change is saved' : `${saved} changes are saved` } : {}),
    },
    status,
  )
}

/** What the page shows besides where the session has ended: also of values that were refused before the server was asked. */
async function withoutListings(ask: Ask, form: FormData, status: number): Promise<Partial<ShelfResult>> {
  if (!import.meta.env.SSR) return { loginNeeded: status === 401 }
  const { problem } = await attempt(ask('GET /api/auth/'))
  return problem ? { loginNeeded: problem.status === 401, unsaved: await unsavedPrices(ask, form) } : {}
}

export { shouldRevalidate } from '#ui/revalidate-on-conflict.ts'

async function move(args: ActionFunctionArgs, id: string, to: 'retired' | 'restored') {
  const key = to === 'retired' ? 'POST /api/products/:id/retire' : 'POST /api/products/:id/restore'
  const { problem } = await attempt<unknown>(
    requireLogin(args).then(() => apiOf(args)(key, { params: { id } })),
  )
  if (problem) return data<ShelfResult>({ problems: problem.errors }, problem.status || 503)
  return accepted<ShelfResult>(args.request, DONE[to], to)
}

/** Deletes a listing. A failure is only logged: the listing stays visible. */
async function remove(args: ActionFunctionArgs, id: string) {
  const deleting = requireLogin(args).then(() => apiOf(args)('DELETE /api/products/:id', { params: { id } }))
  const { problem } = await attempt(deleting)
  const here = listingsAt(new URL(args.request.url).search)
  if (!problem) return redirect(here)
  if (problem.status === 403) throw redirect('/')
  // biome-ignore lint/suspicious/noConsole: the specification has this failure logged and not shown
  console.warn(`Listing ${id} was not deleted: ${problem.message}`)
  // Deleted elsewhere: reload the list.
  if (problem.status === 404) return redirect(here)
  return data<ShelfResult | null>(null, problem.status || 503)
}

export const handle = { title: () => 'Your Listings', hasKey: true }
