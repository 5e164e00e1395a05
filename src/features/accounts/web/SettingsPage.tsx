import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { useSession } from './session.ts'
import '#ui/sidebar.css'
import './settings.css'

/** Every page of the settings. */
const pages: [to: string, name: string][] = [
  ['/settings/shop', 'Your shop page'],
  ['/settings/policies', 'Photo and policies'],
  ['/settings/seller', 'Seller details'],
  ['/settings/sections', 'Sections'],
  ['/settings/postage', 'Postage'],
  ['/settings/payment', 'Payment'],
  ['/settings/holiday', 'Holiday'],
  ['/settings/security', 'Security'],
  ['/settings/letters', 'Letters'],
  ['/settings/notices', 'Notices'],
  ['/settings/addresses', 'Addresses'],
  ['/settings/account', 'Your account'],
]

/** Frame of a settings page, with links to the others. */
export function SettingsPage({ title, children }: { title: string; children: ReactNode }) {
  const { operator } = useSession()
  return (
    <div className="settings sidebar-page">
      <nav aria-label="Settings">
        <ul>
          {pages.map(([to, name]) => (
            <li key={to}>
              <NavLink to={to}>{name}</NavLink>
            </li>
          ))}
          {operator && (
            <li>
              <NavLink to="/operate">Operate the shop</NavLink>
            </li>
          )}
        </ul>
      </nav>
      <section>
        <h1>{title}</h1>
        {children}
      </section>
    </div>
  )
}
