import { type RouteObject, redirect } from 'react-router'
import type { pages } from './settings-pages.ts'

const page = (path: keyof typeof pages) => ({
  path,
  lazy: async () => (await import('./settings-pages.ts')).pages[path],
})

/** The pages of the settings, and those that letters about accounts lead to. */
export const settings: RouteObject[] = [
  { path: 'settings', loader: () => redirect('/settings/shop') },
  page('settings/shop'),
  page('settings/security'),
  // The account, and its deletion.
  page('settings/account/delete?'),
  page('forgot-password'),
  page('reset-password'),
  page('confirm-email'),
]
