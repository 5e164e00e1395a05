import { type RouteObject, redirect } from 'react-router'
import { lazyPages } from './lazy-pages.ts'

/** Paths of the pages in settings-pages.ts. */
const paths = [
  'settings/shop',
  'settings/policies',
  'settings/seller',
  'settings/sections',
  'settings/postage',
  'settings/payment',
  'settings/holiday',
  'settings/security',
  'settings/letters',
  'settings/notices',
  // The addresses, and one of them.
  'settings/addresses/:addressId?',
  // The account, and its deletion.
  'settings/account/delete?',
  // Where the links of letters lead.
  'forgot-password',
  'reset-password',
  'confirm-email',
  'letters/off/:token',
  // Photos of imported drafts.
  'import/photos',
  'notifications',
  // Of operators, and reports to them.
  'operate/:part?',
  'operate/pages/:slug?',
  'operate/brand',
  // Where the link of a new shop leads.
  'setup/:token',
  // About the shop.
  ':slug',
  'report',
  // How a user becomes a seller.
  'sell',
] as const

/** The pages of the settings, of notifications, and those that letters about accounts lead to. */
export const settings: RouteObject[] = [
  { path: 'settings', loader: () => redirect('/settings/shop') },
  ...lazyPages(paths, () => import('./settings-pages.ts')),
]
