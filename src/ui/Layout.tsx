import { type ReactNode, useContext, useEffect, useRef } from 'react'
import {
  Outlet,
  UNSAFE_DataRouterDataContext as RouterData,
  useLocation,
  useMatches,
  useNavigation,
  UNSAFE_useScrollRestoration as useScrollRestoration,
} from 'react-router'
import { useBrand } from './brand.ts'
import { ModalProvider } from './Dialog.tsx'
import { titleOf } from './page-title.ts'
import './layout.css'

interface LayoutProps {
  header: ReactNode
  /** Above the links of the footer. */
  note: ReactNode
  /** Links at the end of the footer. */
  links: ReactNode
}

/** Layout of every page. */
export function Layout({ header, note, links }: LayoutProps) {
  useScrollRestoration({})
  const main = useArrival()
  const busy = useNavigation().state !== 'idle'
  return (
    <ModalProvider>
      <a className="skip" href="#main">
        Skip to content
      </a>
      {header}
      <main id="main" ref={main} tabIndex={-1} aria-busy={busy}>
        <Outlet />
      </main>
      <Footer note={note} links={links} />
    </ModalProvider>
  )
}

/**
 * After a navigation: sets the title and focuses the beginning, as after a document load. After a dialog the focus
 * returns to its opener, and after a choice in a list to the list.
 */
function useArrival() {
  const { pathname, search, hash, state } = useLocation()
  const matches = useMatches()
  const main = useRef<HTMLElement>(null)
  const last = useRef({ pathname, search, isDialog: false })
  const [failed] = Object.values(useContext(RouterData)?.errors ?? {})
  const pages = matches.map(({ handle, loaderData }) => ({ handle, data: loaderData }))
  const title = titleOf(pages, useBrand(), failed)
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    const left = last.current
    last.current = { pathname, search, isDialog: Boolean(state?.dialog) }
    const isHere = left.pathname === pathname
    // A dialog takes the focus itself.
    if ((isHere && left.search === search) || state?.dialog || document.querySelector('dialog[open]')) return
    // So does a field in the hash.
    if (hash !== '' && document.activeElement?.id === hash.slice(1)) return
    // The browser has returned it, or the pressed element is still there.
    if ((isHere || left.isDialog) && document.activeElement !== document.body) return
    const find = (selector: string) => main.current?.querySelector<HTMLElement>(selector)
    const target = isHere ? find('.results') : left.isDialog && find(opening(left.pathname))
    ;(target || main.current)?.focus({ preventScroll: true })
  }, [pathname, search, hash, state])
  return main
}

/** Selector of elements that lead to an address. */
const opening = (pathname: string) => `a[href="${pathname}"], form[action="${pathname}"] button`

function Footer({ note, links }: Pick<LayoutProps, 'note' | 'links'>) {
  const { name, tagline, team } = useBrand()
  return (
    <footer className="site-footer">
      <p className="footer-brand">
        <strong>{name}</strong>
        <span>{tagline}</span>
      </p>
      <section aria-labelledby="team">
        <h2 id="team">The team</h2>
        <ul className="team">
          {team.map(({ name, role, profile }) => (
            <li key={name}>
              <a href={profile} rel="me noreferrer">
                {name}
              </a>
              <span>{role}</span>
            </li>
          ))}
        </ul>
      </section>
      {note}
      <p className="footer-links">{links}</p>
    </footer>
  )
}
