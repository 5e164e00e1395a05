import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  redirect,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { listingPath, slugOf } from '#products/slug.ts'
import { firstLook, loadReviews } from '#reviews/web/loadReviews.ts'
import { apiOf, askEarly, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import type { Handle } from '#ui/page-title.ts'

/**
 * The listing, what people say of it, and others like it. An address with another name than the listing's leads to
 * the right one.
 */
export async function loader(args: LoaderFunctionArgs) {
  const ask = apiOf(args)
  const id = args.params.productId ?? ''
  const [listing, shown, similar] = await Promise.all([
    ask('GET /api/products/:id', { params: { id } }),
    loadReviews(ask, id, new URL(args.request.url).searchParams),
    ask('GET /api/products/:id/similar', { params: { id } }),
  ])
  const { slug } = args.params
  if (slug !== undefined && slug !== slugOf(listing.name))
    throw redirect(listingPath(listing) + new URL(args.request.url).search, 301)
  return { listing, shown, similar: similar.products }
}

/** Also where there is less than was asked for: the page learns how much is left. */
export const shouldRevalidate = ({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean => defaultShouldRevalidate || actionStatus === 409

/** Asks for what the loader is about to need. */
export function prefetchProduct(id: number): void {
  askEarly('GET /api/products/:id', { params: { id } })
  const { params, query } = firstLook(id)
  askEarly('GET /api/reviews/:productId/reviews', { params, query })
  askEarly('GET /api/reviews/:productId/histogram', { params })
  askEarly('GET /api/reviews/:productId/own', { params })
  askEarly('GET /api/products/:id/similar', { params: { id } })
}

export interface AddResult {
  message: string
  failed: boolean
  /** The server's own words for why it failed. */
  reason?: string
  /** How many were asked for, where logging in is all that is missing. */
  loginNeeded?: number
}

/** Adds the listing to the cart. Where it has gone meanwhile, whoever sent the form by scripts keeps the page. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const productId = args.params.productId ?? ''
  const body = { quantity: Number(form.get('quantity')) }
  const { problem } = await attempt(
    apiOf(args)('POST /api/cart_items/add/:productId', { params: { productId }, body }),
  )
  if (!problem) return accepted(args.request, { message: 'Item added to cart!', failed: false }, 'added')
  const result: AddResult =
    problem.status === 401
      ? { message: 'Please login to add items to cart.', failed: true, loginNeeded: body.quantity }
      : { message: 'Failed to add item to cart.', failed: true, reason: problem.message }
  return data(result, problem.status || 503)
}

export const handle: Handle<Awaited<ReturnType<typeof loader>>> = {
  title: ({ listing }) => listing.name,
  description: ({ listing }) => listing.description,
}
