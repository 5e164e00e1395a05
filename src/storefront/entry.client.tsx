// First, because it names the order of the layers that all other styles are in.
import '../ui/theme.css'
import './photo.css'

import { type ReactNode, startTransition, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import {
  createBrowserRouter,
  type DataRouter,
  type HydrationState,
  matchRoutes,
  UNSAFE_ErrorResponseImpl as RouteError,
  RouterContextProvider,
} from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { apiContext, askOverFetch, type Shop, shopContext } from '../ui/api-client.ts'
import { routes } from './routes.tsx'
import './prefetch-product.ts'

interface State extends HydrationState {
  shop: Shop
  errors: Record<string, { status: number; statusText: string; data: string }> | null
}

/** Takes over the page that the server rendered, with the data it was rendered from. */
async function takeOver(): Promise<void> {
  const { shop, errors, ...state } = JSON.parse(
    document.getElementById('state')?.textContent ?? '{}',
  ) as State
  // A document that was loaded by its address is a page, even where its history entry was once a dialog.
  if (history.state?.usr?.dialog) history.replaceState({ ...history.state, usr: null }, '')
  const [keepEarlyText] = await Promise.all([loadEarlyText(), loadMatchedRoutes()])
  const revived =
    errors && Object.entries(errors).map(([id, e]) => [id, new RouteError(e.status, e.statusText, e.data)])
  const router = createBrowserRouter(routes, {
    hydrationData: { ...state, errors: revived ? Object.fromEntries(revived) : null },
    getContext() {
      const context = new RouterContextProvider()
      context.set(apiContext, askOverFetch)
      context.set(shopContext, shop)
      return context
    },
  })
  if (location.search.includes('done='))
    void import('../ui/flash.ts').then(({ forgetFlash }) => forgetFlash())
  showPresses(router)
  // Brought back by the Back button as it was left: much may have changed since, an order placed from this very page.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void router.revalidate()
  })
  // What is drawn from here on need not wait for a first paint.
  document.documentElement.classList.remove('arriving')
  const end = keepEarlyText?.()
  // In small pieces, so that whoever scrolls or presses meanwhile need not wait for the whole.
  startTransition(() => {
    hydrateRoot(
      document.getElementById('root')!,
      <TakenOver then={end}>
        <RouterProvider router={router} />
      </TakenOver>,
    )
  })
}

/** Tells when the page has been taken over, with all that its parts do then. */
function TakenOver({ then, children }: { then: (() => void) | undefined; children: ReactNode }): ReactNode {
  useEffect(() => then?.(), [then])
  return children
}

/** Marks the link or button that began a navigation until the next page is there: on a slow phone that takes a while. */
function showPresses(router: DataRouter): void {
  let pressed: Element | null = null
  const press = (element: Element | null) => {
    pressed = element
    // A press that begins no navigation is forgotten.
    setTimeout(() => {
      if (router.state.navigation.state === 'idle') pressed = null
    })
  }
  addEventListener('click', ({ target }) => target instanceof Element && press(target.closest('a')), true)
  addEventListener('submit', ({ submitter }) => press(submitter), true)
  router.subscribe(({ navigation }) => {
    if (navigation.state !== 'idle') return pressed?.setAttribute('data-pressed', '')
    pressed?.removeAttribute('data-pressed')
    pressed = null
  })
}

/** Few pages have texts, and only those load what keeps them. */
const loadEarlyText = async () =>
  document.querySelector('textarea') ? (await import('../ui/keep-early-text.ts')).keepEarlyText : undefined

/** The first render must not wait for a script: what the address needs is fetched before React begins. */
async function loadMatchedRoutes(): Promise<void> {
  const matches = matchRoutes(routes, location) ?? []
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy !== 'function') return
      Object.assign(route, await route.lazy(), { lazy: undefined })
    }),
  )
}

void takeOver()
