import type { RouteObject } from 'react-router'

/** Paths of the pages in order-pages.ts. */
const paths = [
  'orders/view',
  'orders/:orderId/delete-order',
  'orders',
  'orders/:orderId',
  'sold',
  'sold/:orderId',
  'sold/:orderId/slip',
] as const

/** Pages of orders, for their shoppers and makers. */
export const orderPages: RouteObject[] = paths.map(path => ({
  path,
  lazy: async () => (await import('./order-pages.ts')).pages[path],
}))
