import type { RouteObject } from 'react-router'
import { lazyPages } from './lazy-pages.ts'

/** Paths of the pages in order-pages.ts. */
const paths = [
  'orders/view',
  'orders/:orderId/delete-order',
  'orders',
  'orders/:orderId',
  'sold',
  'sold/:orderId',
  'sold/:orderId/slip',
  'messages',
  'messages/to/:username',
  'messages/:conversationId',
] as const

/** Pages of orders and messages, for their shoppers and makers. */
export const orderPages: RouteObject[] = lazyPages(paths, () => import('./order-pages.ts'))
