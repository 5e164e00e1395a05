import { askEarly } from '#web/api.ts'

/** Fetches a product page, its scripts and its data, when somebody is about to open it. */
export function prefetch(id: number): void {
  void import('./product.ts')
  void import('./ProductPage.tsx')
  askEarly('GET /api/products/:id', { params: { id } })
  askEarly('GET /api/reviews/:productId/reviews', { params: { productId: id } })
  askEarly('GET /api/products/:id/similar', { params: { id } })
}
