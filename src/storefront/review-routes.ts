import type { RouteObject } from 'react-router'

/** Paths of the pages in review-pages.ts. */
const paths = ['reply', 'create-review', 'edit-review', 'delete-review'] as const

/** Pages and dialogs of a listing's reviews. */
export const reviewPages: RouteObject[] = paths.map(path => ({
  path,
  lazy: async () => (await import('./review-pages.ts')).pages[path],
}))
