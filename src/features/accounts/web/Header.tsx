import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useSession, useUser } from '#accounts/web/session.ts'
import { askOverFetch, attempt } from '#ui/api-client.ts'
import { useBrand } from '#ui/brand.ts'
import { BagIcon, BellIcon, Logo, PersonIcon } from '#ui/icons.tsx'
import type { User } from '../contract.ts'
import { useLoginDialog } from './useLoginDialog.tsx'
import './header.css'

/** Logo, search, profile menu, notifications and cart, on every page. */
export function Header({ search, toSearch }: { search: ReactNode; toSearch: ReactNode }) {
  const { user, inCart, unread } = useSession()
  const { name, shortName, mark, logo } = useBrand()
  const { login } = useLoginDialog()
  const navigate = useNavigate()
  const askLogin = (event: MouseEvent) => {
    if (user) return
    event.preventDefault()
    login(() => void navigate('/cart'), 'to see your cart')
  }
  return (
    <header className="site-header">
      <Link className="logo" to="/" aria-label={`${name}, home`}>
        <Logo mark={mark} logo={logo} />
        <span className="full" aria-hidden="true">
          {name}
        </span>
        <span className="short" aria-hidden="true">
          {shortName}
        </span>
      </Link>
      {search}
      <nav aria-label="Account and cart">
        {toSearch}
        <ProfileMenu />
        {user && (
          <Link
            className="icon-button"
            to="/notifications"
            aria-label={`Notifications, ${shown(unread)} unread`}
          >
            <BellIcon />
            {unread > 0 && <span className="count">{shown(unread)}</span>}
          </Link>
        )}
        <Link className="icon-button" to="/cart" aria-label={`Cart, ${countText(inCart)}`} onClick={askLogin}>
          <BagIcon />
          {inCart > 0 && <span className="count">{shown(inCart)}</span>}
        </Link>
      </nav>
    </header>
  )
}

/** Accessible names contain the visible text, for voice control. */
const shown = (count: number) => (count > 99 ? '99+' : String(count))
const countText = (inCart: number) => {
  if (inCart === 0) return 'empty'
  return inCart === 1 ? '1 item' : `${shown(inCart)} items`
}

/** A disclosure that works without scripts, and closes like a menu with them. */
function ProfileMenu() {
  const user = useUser()
  const menu = useRef<HTMLDetailsElement>(null)
  const { login, signup } = useLoginDialog()
  const close = () => menu.current?.removeAttribute('open')
  useClosing(menu)
  const opening = (open: () => void) => (event: MouseEvent) => {
    event.preventDefault()
    // The menu hides the button that opens the dialog: focus returns to the menu's own button.
    menu.current?.querySelector('summary')?.focus()
    close()
    open()
  }
  return (
    <details className="profile" ref={menu}>
      <summary className="icon-button" aria-label={user ? `Profile, ${initialsOf(user)}` : 'Profile'}>
        {user ? <span className="initials">{initialsOf(user)}</span> : <PersonIcon />}
      </summary>
      <div className="profile-menu">
        {user ? (
          <>
            <p className="profile-who">
              <strong>{user.username}</strong>
              <span>{user.email}</span>
            </p>
            <Link to="/orders/view" onClick={close}>
              Your Orders
            </Link>
            <Link to="/your-listings" onClick={close}>
              Your Listings
            </Link>
            <Link to="/sold" onClick={close}>
              Sold
            </Link>
            <Link to="/favourites" onClick={close}>
              Favorites
            </Link>
            <Link to="/messages" onClick={close}>
              Messages
            </Link>
            <Link to="/settings" onClick={close}>
              Settings
            </Link>
            <LogoutLink onDone={close} />
          </>
        ) : (
          <>
            <a href="/login" onClick={opening(() => login())}>
              Log In
            </a>
            <a href="/signup" onClick={opening(signup)}>
              Sign Up
            </a>
          </>
        )}
      </div>
    </details>
  )
}

/** 'WT' for Wren Thistledown. */
const initialsOf = ({ first_name, last_name }: User): string =>
  [first_name, last_name].map(name => [...name][0]?.toUpperCase() ?? '').join('')

/** A plain link without scripts; with them it ends the session and navigates home. */
function LogoutLink({ onDone }: { onDone: () => void }) {
  const navigate = useNavigate()
  const logOut = async (event: MouseEvent) => {
    event.preventDefault()
    onDone()
    const { problem } = await attempt(askOverFetch('GET /api/auth/logout'))
    // As without scripts: the browser navigates and shows the result.
    if (problem) return location.assign('/api/auth/logout')
    // Replaces this page without revalidating it: a page that needs a login would redirect there.
    await navigate('/', { replace: true, defaultShouldRevalidate: true })
  }
  return (
    <a href="/api/auth/logout" onClick={logOut}>
      Log Out
    </a>
  )
}

/** Closes an open menu on an outside click, Escape, loss of focus, and navigation. */
function useClosing(menu: React.RefObject<HTMLDetailsElement | null>) {
  const { key } = useLocation()
  const last = useRef(key)
  useEffect(() => {
    // Not at first: it may have been opened before hydration.
    if (last.current !== key) menu.current?.removeAttribute('open')
    last.current = key
  }, [menu, key])
  useEffect(() => {
    const element = menu.current
    if (!element) return
    const close = () => element.removeAttribute('open')
    const onPointer = (event: Event) => {
      if (!element.contains(event.target as Node)) close()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !element.open) return
      close()
      element.querySelector('summary')?.focus()
    }
    const onFocusOut = (event: FocusEvent) => {
      if (event.relatedTarget && !element.contains(event.relatedTarget as Node)) close()
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    element.addEventListener('focusout', onFocusOut)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
      element.removeEventListener('focusout', onFocusOut)
    }
  }, [menu])
}
