import * as products from '#products/web/heads.ts'
import * as shops from '#sellers/web/heads.ts'
import type { Head } from '../ui/meta-tags.ts'

/** What public pages tell the world outside, by the paths in routes.tsx. A page that is not here is private. */
export const heads: Record<string, Head> = {
  '/': products.landing,
  '/search': products.search,
  '/categories/:slug': products.category,
  '/products/:productId': products.product,
  '/products/:productId/:slug': products.product,
  '/shops/:username': shops.shop,
}
