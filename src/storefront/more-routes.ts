import type { RouteObject } from 'react-router'
import { orderPages } from './order-routes.ts'
import { sellingPages } from './selling-routes.ts'
import { settings } from './settings-routes.ts'

/** Routes of pages that few people open first: the browser loads them when it meets such an address. */
export const moreRoutes: RouteObject[] = [...sellingPages, ...settings, ...orderPages]
