import { useEffect } from 'react'
import { redirect, useLocation, useSearchParams } from 'react-router'

/** The parameter of an address that holds a flash message's name. */
const FLASH = 'done'

/**
 * The answer to a form that was accepted: the result, where the scripts sent it. A browser that sent it by itself is
 * redirected to the same address (redirect after post), so that a reload repeats nothing; `flash` names what the page
 * is to say there.
 */
export function accepted<T>(request: Request, result: T, flash?: string): T | Response {
  if (!import.meta.env.SSR) return result
  const { pathname, search } = new URL(request.url)
  const query = new URLSearchParams(withoutFlash(search))
  if (flash) query.set(FLASH, flash)
  return redirect(query.size > 0 ? `${pathname}?${query}` : pathname)
}

/** The flash message of a form that scripts sent, for the page that it led to: there the address stays as it is. */
let led: { to: string; flash: string } | undefined

/** The answer to a form that was accepted and leads to another page, which is to say what `flash` names there. */
export function leadsTo(to: string, flash: string): Response {
  if (import.meta.env.SSR) return redirect(`${to}?${FLASH}=${flash}`)
  led = { to, flash }
  return redirect(to)
}

/** What the page is to say of the form that led to it. `messages` are its flash messages by name. */
export function useFlash<T>(messages: Record<string, T>): T | undefined {
  const { pathname } = useLocation()
  const told = led?.to === pathname ? led.flash : ''
  // It is said once: whoever comes back has left it behind.
  useEffect(
    () => () => {
      if (led?.flash === told) led = undefined
    },
    [told],
  )
  const name = useSearchParams()[0].get(FLASH) ?? told
  return Object.hasOwn(messages, name) ? messages[name] : undefined
}

/** The query of an address that is to be come back to: what was told there is not told again. */
export function withoutFlash(search: string): string {
  const query = new URLSearchParams(search)
  query.delete(FLASH)
  return query.size > 0 ? `?${query}` : ''
}

/** Takes the flash message out of the browser's address: it is shown once, and to nobody who is given the address. */
export function forgetFlash(): void {
  const { pathname, search, hash } = location
  if (!new URLSearchParams(search).has(FLASH)) return
  history.replaceState(history.state, '', pathname + withoutFlash(search) + hash)
}
