import type { RouteObject } from 'react-router'
import { lazyPages } from './lazy-pages.ts'

/** Paths of the pages in review-pages.ts. */
const paths = ['reply', 'create-review', 'edit-review', 'delete-review'] as const

/** Pages and dialogs of a listing's reviews. */
export const reviewPages: RouteObject[] = lazyPages(paths, () => import('./review-pages.ts'))
