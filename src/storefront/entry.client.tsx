// First: it declares the order of the cascade layers.
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
  type RouteMatch,
  type RouteObject,
  RouterContextProvider,
} from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { apiContext, askOverFetch, attempt, type SiteFacts, siteFactsContext } from '../ui/api-client.ts'
import { BrandContext } from '../ui/brand.ts'
import { browserRouter } from './interrupted-actions.ts'
import { ABOVE_PAGES, routesWith } from './routes.tsx'
import './prefetch-product.ts'

interface State extends HydrationState {
  shop: SiteFacts
  errors: Record<string, { status: number; statusText: string; data: string }> | null
}

/** Hydrates the page with the data it was rendered from. */
async function hydrate(): Promise<void> {
  const { shop, errors, ...state } = JSON.parse(
    document.getElementById('state')?.textContent ?? '{}',
  ) as State
  // A loaded document is a page, even if its history entry was a dialog.
  if (history.state?.usr?.dialog) history.replaceState({ ...history.state, usr: null }, '')
  const [keepEarlyText, routes] = await Promise.all([loadEarlyText(), loadRoutes()])
  const revived =
    errors &&
    Object.fromEntries(
      Object.entries(errors).map(([id, e]) => [id, new RouteError(e.status, e.statusText, e.data)]),
    )
  const router = createBrowserRouter(routes, {
    async patchRoutesOnNavigation({ path, patch }) {
      if (isUnknown(matchRoutes(routes, path) ?? [])) patch(ABOVE_PAGES, await loadMoreRoutes())
    },
    hydrationData: { ...state, errors: revived },
    getContext() {
      const context = new RouterContextProvider()
      context.set(apiContext, askOverFetch)
      context.set(siteFactsContext, shop)
      return context
    },
  })
  browserRouter.revalidate = () => void router.revalidate()
  if (location.search.includes('done=')) void import('../ui/flash.ts').then(file => file.forgetFlash())
  showPresses(router)
  // Restored from the back-forward cache: the data may be old, for example after an order. Only if the shop answers: else an
  // error would replace the page. A page that was left while it sent a form would wait for its end.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    if (router.state.navigation.state !== 'idle') location.reload()
    else
      void attempt(askOverFetch('GET /api/auth/session')).then(({ problem }) => {
        if (!problem || problem.status === 401) void router.revalidate()
      })
  })
  // Later pictures need not wait for the first paint.
  document.documentElement.classList.remove('arriving')
  const end = keepEarlyText?.()
  // A transition is interruptible, so that input is handled in between.
  startTransition(() => {
    hydrateRoot(
      document.getElementById('root')!,
      <Hydrated then={end}>
        <BrandContext value={shop.brand}>
          <RouterProvider router={router} />
        </BrandContext>
      </Hydrated>,
    )
  })
}

/** Calls `then` after hydration, effects included. */
function Hydrated({ then, children }: { then: (() => void) | undefined; children: ReactNode }): ReactNode {
  useEffect(() => then?.(), [then])
  return children
}

/** Marks the pressed link or button until the next page is there. */
function showPresses(router: DataRouter): void {
  let pressed: Element | null = null
  const press = (element: Element | null) => {
    pressed?.removeAttribute('data-pressed')
    pressed = element
    // Forgets a press that begins no navigation.
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

/** Loaded only on pages with text areas. */
const loadEarlyText = () =>
  document.querySelector('textarea') && import('../ui/keep-early-text.ts').then(file => file.keepEarlyText)

const loadMoreRoutes = () => import('./more-routes.ts').then(file => file.moreRoutes)

/** Whether an address matches nothing but the last route, which matches all. */
const isUnknown = (matches: RouteMatch[]) => matches.at(-1)?.route.path === '*'

/** The routes, with the scripts of the page, so that the first render does not wait. */
async function loadRoutes(): Promise<RouteObject[]> {
  const first = routesWith([])
  const found = matchRoutes(first, location) ?? []
  const routes = isUnknown(found) ? routesWith(await loadMoreRoutes()) : first
  const matches = routes === first ? found : (matchRoutes(routes, location) ?? [])
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy !== 'function') return
      Object.assign(route, await route.lazy(), { lazy: undefined })
    }),
  )
  return routes
}

void hydrate()
