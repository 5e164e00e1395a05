import { type RouteObject, redirect } from 'react-router'

const page = (name: 'shop' | 'security' | 'account') => ({
  lazy: async () => (await import('./settings-pages.ts')).pages[name],
})

/** The pages of the settings. */
export const settings: RouteObject[] = [
  { path: 'settings', loader: () => redirect('/settings/shop') },
  { path: 'settings/shop', ...page('shop') },
  { path: 'settings/security', ...page('security') },
  // The account, and its deletion.
  { path: 'settings/account/delete?', ...page('account') },
]
