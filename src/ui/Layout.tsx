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

/** Layout of every page, without its footer, which is in the document. */
export function Layout({ header }: { header: ReactNode }) {
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
  const routes = matches.map(({ handle, loaderData }) => ({ handle, data: loaderData }))
  const title = titleOf(routes, useBrand(), failed)
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
