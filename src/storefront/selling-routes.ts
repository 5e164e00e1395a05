import type { RouteObject } from 'react-router'
import { lazyPages } from './lazy-pages.ts'

/** Paths of the pages in selling-pages.ts. */
const paths = [
  'your-listings',
  'your-listings/change',
  'drafts',
  'drafts/:draftId',
  'import',
  'makers',
  'products/new',
  'products/:productId/edit',
] as const

/** Pages of a maker's listings and drafts, and the one that takes them in. */
export const sellingPages: RouteObject[] = lazyPages(paths, () => import('./selling-pages.ts'))
