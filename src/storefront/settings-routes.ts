import { type RouteObject, redirect } from 'react-router'

/** Paths of the pages in settings-pages.ts. */
const paths = [
  'settings/shop',
  'settings/sections',
  'settings/postage',
  'settings/payment',
  'settings/holiday',
  'settings/security',
  'settings/letters',
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
] as const

/** The pages of the settings, of notifications, and those that letters about accounts lead to. */
export const settings: RouteObject[] = [
  { path: 'settings', loader: () => redirect('/settings/shop') },
  ...paths.map(path => ({ path, lazy: async () => (await import('./settings-pages.ts')).pages[path] })),
]
