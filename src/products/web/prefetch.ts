import { firstLook } from '#reviews/web/reviewsOf.ts'
import { askEarly } from '#web/api.ts'

/** Fetches a product page, its scripts and its data, when somebody is about to open it. */
export function prefetch(id: number): void {
  void import('./product.ts')
  void import('./ProductPage.tsx')
  askEarly('GET /api/products/:id', { params: { id } })
  const { params, query } = firstLook(id)
  askEarly('GET /api/reviews/:productId/reviews', { params, query })
  askEarly('GET /api/reviews/:productId/histogram', { params })
  askEarly('GET /api/reviews/:productId/own', { params })
  askEarly('GET /api/products/:id/similar', { params: { id } })
}
