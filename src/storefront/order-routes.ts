import type { RouteObject } from 'react-router'

/** Paths of the pages in order-pages.ts. */
const paths = ['orders/view', 'orders/:orderId/delete-order', 'orders', 'orders/:orderId'] as const

/** Pages of a shopper's orders. */
export const orderPages: RouteObject[] = paths.map(path => ({
  path,
  lazy: async () => (await import('./order-pages.ts')).pages[path],
}))
