import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  redirect,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import type { AddResult } from '#cart/web/AddToCart.tsx'
import { answersIn, inBody } from '#cart/web/answerForm.ts'
import { addToCart } from '#cart/web/sendAdd.ts'
import type { FieldErrors } from '#problem'
import { refusedAnswers } from '#products/answer-rules.ts'
import type { Answer } from '#products/questions-contract.ts'
import { MAX_OF_SELLER, relatedListings } from '#products/related-listings.ts'
import { listingPath, slugOf } from '#products/slug.ts'
import { shopperQuestions } from '#products/variation-text.ts'
import { cardListings } from '#products/web/card-listing.ts'
import { firstPage, loadReviews } from '#reviews/web/loadReviews.ts'
import { type Ask, apiOf, attempt, prefetchCall } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import type { Handle } from '#ui/page-title.ts'

/**
 * The listing, its details, its maker with other pieces, its reviews, its postage, and similar ones. Another slug than the
 * listing's redirects.
 */
export async function loader(args: LoaderFunctionArgs) {
  const ask = apiOf(args)
  const id = args.params.productId ?? ''
  const asked = ask('GET /api/products/:id', { params: { id } })
  const [listing, { shop, seller, newest }, details, shown, similar, postage, { country }] =
    await Promise.all([
      asked,
      asked.then(({ seller }) => makerOf(ask, seller)),
      ask('GET /api/products/:id/details', { params: { id } }),
      loadReviews(ask, id, new URL(args.request.url).searchParams),
      ask('GET /api/products/:id/similar', { params: { id } }),
      ask('GET /api/products/:id/postage', { params: { id } }),
      ask('GET /api/country'),
    ])
  const { slug } = args.params
  if (slug !== undefined && slug !== slugOf(listing.name))
    throw redirect(listingPath(listing) + new URL(args.request.url).search, 301)
  const related = relatedListings(listing, similar.products, newest)
  return {
    listing,
    details,
    shop,
    seller,
    shown,
    postage,
    country,
    theirs: cardListings(related.theirs),
    similar: cardListings(related.similar),
  }
}

/** The maker of a listing, who sells, and the newest pieces of theirs that can be ordered: enough without the listing itself. */
async function makerOf(ask: Ask, username: string) {
  const query = { seller: username, in_stock: 'true', limit: MAX_OF_SELLER + 1 } as const
  const [shop, { details }, { products }] = await Promise.all([
    ask('GET /api/shops/:username', { params: { username } }),
    ask('GET /api/shops/:username/seller', { params: { username } }),
    ask('GET /api/products/', { query }),
  ])
  return { shop, seller: details, newest: products }
}

/**
 * Also after a refusal: the page shows what is left, and what is asked now. Not for another photo: the gallery has them
 * all.
 */
export const shouldRevalidate = ({
  actionStatus,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean => {
  if (currentUrl.search !== nextUrl.search && withoutPhoto(currentUrl) === withoutPhoto(nextUrl)) return false
  return defaultShouldRevalidate || actionStatus === 409 || actionStatus === 400
}

function withoutPhoto({ pathname, search }: URL): string {
  const query = new URLSearchParams(search)
  query.delete('photo')
  return `${pathname}?${query}`
}

/** Prefetches the data of the loader. */
export function prefetchProduct(id: number): void {
  prefetchCall('GET /api/products/:id', { params: { id } })
  prefetchCall('GET /api/products/:id/details', { params: { id } })
  const { params, query } = firstPage(id)
  prefetchCall('GET /api/reviews/:productId/reviews', { params, query })
  prefetchCall('GET /api/reviews/:productId/histogram', { params })
  prefetchCall('GET /api/reviews/:productId/own', { params })
  prefetchCall('GET /api/products/:id/similar', { params: { id } })
  prefetchCall('GET /api/products/:id/postage', { params: { id } })
  prefetchCall('GET /api/country', {})
}

/**
 * Adds the listing to the cart, or chooses the country that postage is shown for. If it was deleted, a form sent by
 * scripts keeps its page.
 */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const country = form.get('country')
  if (country !== null) return choose(args, String(country) || null)
  const productId = args.params.productId ?? ''
  const answers = answersIn(form)
  const body = { quantity: Number(form.get('quantity')), ...inBody(answers) }
  const ask = apiOf(args)
  const { problem } = await addToCart(ask, productId, body)
  if (!problem) return accepted(args.request, { message: 'Item added to cart!', failed: false }, 'added')
  const result: AddResult =
    problem.status === 401
      ? { message: 'Please login to add items to cart.', failed: true, loginNeeded: body.quantity }
      : { message: 'Failed to add item to cart.', failed: true, reason: problem.message }
  const fields = problem.status === 400 ? await refusedFields(ask, productId, answers) : undefined
  const { quantity } = body
  return data(
    { ...result, quantity, ...inBody(answers), ...(fields ? { fields } : {}) },
    problem.status || 503,
  )
}

/** What is wrong with answers, by the title of the question. */
async function refusedFields(ask: Ask, id: string, answers: Answer[]): Promise<FieldErrors | undefined> {
  const { response } = await attempt(ask('GET /api/products/:id/details', { params: { id } }))
  return response && refusedAnswers(shopperQuestions(response), answers)
}

async function choose(args: ActionFunctionArgs, country: string | null) {
  const { problem } = await attempt(apiOf(args)('PUT /api/country', { body: { country } }))
  if (!problem) return accepted(args.request, null)
  return data({ message: problem.message, failed: true } satisfies AddResult, problem.status || 503)
}

export const handle: Handle<Awaited<ReturnType<typeof loader>>> = {
  title: ({ listing }) => listing.name,
  description: ({ listing }) => listing.description,
}
