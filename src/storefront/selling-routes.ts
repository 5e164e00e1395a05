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
] as const
/** Those that the browser has to know from the beginning: other routes would match them too. */
const formPaths = ['products/new', 'products/:productId/edit'] as const

const load = () => import('./selling-pages.ts')

/** Pages of a maker's listings and drafts, the one that takes them in, and the directory of makers. */
export const sellingPages: RouteObject[] = lazyPages(paths, load)
/** The forms of listings. */
export const listingForms: RouteObject[] = lazyPages(formPaths, load)
