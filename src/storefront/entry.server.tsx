import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  isRouteErrorResponse,
  matchRoutes,
  UNSAFE_ErrorResponseImpl as RouteError,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router'
import type { Brand } from '#brand'
import { isSlug } from '#pages/contract.ts'
import { Problem } from '#problem'
import { type Ask, apiContext, type SiteFacts, siteFactsContext } from '../ui/api-client.ts'
import { BrandContext } from '../ui/brand.ts'
import { documentHead, scriptSafe } from '../ui/meta-tags.ts'
import type { Handle } from '../ui/page-title.ts'
import { type Assets, documentOf } from './document.ts'
import { type Refusal, refusalContext } from './error-route.ts'
import { footerOf } from './footer.ts'
import { FormRequest } from './form-request.ts'
import { moreRoutes } from './more-routes.ts'
import { FEEDS, heads } from './route-meta.ts'
import { routesWith } from './routes.tsx'
import { listingForms } from './selling-routes.ts'

export { renderLetter } from '../ui/LetterDocument.tsx'

interface Needs {
  ask: Ask
  /** Origin of the shop: 'https://thrum.example'. */
  origin: string
  /** With the whole brand: pages show a part of it. */
  shop: SiteFacts & { brand: Brand }
  /** Links to the pages about the shop. */
  links: { path: string; name: string }[]
  assets: Assets
  refusal?: Refusal
  /** Receives unexpected errors, before they become an error page. */
  report: (error: unknown) => void
  /** Id of the request in the log. */
  requestId: string
  /** Receives the route pattern of the page, '/products/:productId'. */
  matched: (pattern: string) => void
}
interface Rendered {
  status: number
  headers: Headers
  /** Empty for a redirect. */
  html: string
}

const handler = createStaticHandler(routesWith(moreRoutes))
/** Paths of the pages whose styles are in the second stylesheet: see vite.config.ts. */
const morePaths = new Set([...moreRoutes, ...listingForms].map(({ path }) => path))

/** Renders the document of a request: loaders and actions, then React. A redirect has no document. */
export async function render(
  request: Request,
  { ask, origin, shop, links, assets, refusal, report, requestId, matched }: Needs,
): Promise<Rendered> {
  const served = refused(request, refusal)
  const requestContext = new RouterContextProvider()
  requestContext.set(apiContext, ask)
  requestContext.set(siteFactsContext, shop)
  if (served.refusal) requestContext.set(refusalContext, served.refusal)
  const context = await handler.query(served.request, {
    requestContext,
    // A refused request runs no loaders of its page, which could redirect.
    filterMatchesToLoad: ({ route: { id } }) => !served.refusal || id === 'session' || id === 'refusal',
  })
  if (context instanceof Response) {
    matched(patternOf(matchRoutes(handler.dataRoutes, new URL(request.url)) ?? []))
    return { status: context.status, headers: context.headers, html: await context.text() }
  }
  matched(patternOf(context.matches))
  const status = settleErrors(context, report, requestId)
  const router = createStaticRouter(handler.dataRoutes, context)
  const body = renderToString(
    <BrandContext value={shop.brand}>
      <StaticRouterProvider router={router} context={context} hydrate={false} />
    </BrandContext>,
  )
  const { loaderData, actionData, errors } = context
  const state = scriptSafe({ shop: siteFactsOf(shop), loaderData, actionData, errors })
  const { brand } = shop
  const head = headOf(
    context,
    origin + served.request.url.slice(new URL(served.request.url).origin.length),
    brand,
  )
  return {
    status,
    headers: headersOf(context, status),
    html: documentOf({
      head,
      body,
      footer: footerOf({ brand, links, demo: shop.demo }),
      state,
      assets,
      needsMoreStyles: context.matches.some(({ route }) => morePaths.has(route.path)),
      brand,
    }),
  }
}

/** What the application shows of the shop. */
function siteFactsOf({ brand, ...shop }: Needs['shop']): SiteFacts {
  const { team, colours, version, ...shown } = brand
  return { ...shop, brand: shown }
}

/** The request to render. Unknown addresses are 404 for any method. */
function refused(request: Request, refusal: Refusal | undefined): { request: Request; refusal?: Refusal } {
  if (isKnown(request)) return refusal ? { request, refusal } : { request: new FormRequest(request) }
  if (!refusal && request.method === 'POST')
    return { request: new Request(request.url, { headers: request.headers }), refusal: NOT_FOUND }
  if (!refusal) return { request: new FormRequest(request) }
  return { request, refusal: refusal.status === 405 ? NOT_FOUND : refusal }
}

const NOT_FOUND: Refusal = { status: 404, message: 'There is nothing at this address' }

/** Whether an address has a page. */
function isKnown(request: Request): boolean {
  const { route, params } = matchRoutes(handler.dataRoutes, new URL(request.url))?.at(-1) ?? {}
  return route?.path === ':slug' ? isSlug(params?.slug) : route?.path !== '*'
}

/** Replaces every error by one that may be shown: status and message, no stack. @returns the status of the document */
function settleErrors(context: StaticHandlerContext, report: Needs['report'], requestId: string): number {
  for (const [id, error] of Object.entries(context.errors ?? {}))
    context.errors![id] = showable(error, report, requestId)
  // Of several errors, the outermost is shown.
  const outermost = context.matches.find(({ route }) => context.errors?.[route.id])
  return outermost ? (context.errors![outermost.route.id] as RouteError).status : context.statusCode
}

function showable(error: unknown, report: Needs['report'], requestId: string): RouteError {
  const routeError = (status: number, message: string) =>
    new RouteError(status, status === 500 ? requestId : '', message)
  if (error instanceof Problem) return routeError(error.status || 500, error.message)
  if (isRouteErrorResponse(error))
    return routeError(error.status, typeof error.data === 'string' ? error.data : '')
  report(error)
  return routeError(500, '')
}

const patternOf = (matches: { route: { path?: string | undefined } }[]): string =>
  `/${matches.flatMap(({ route }) => route.path ?? []).join('/')}`

function headersOf(context: StaticHandlerContext, status: number): Headers {
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' })
  if (status === 405) {
    const hasAction = context.matches.at(-1)?.route.action !== undefined
    headers.set('allow', hasAction ? 'GET, HEAD, POST' : 'GET, HEAD')
  }
  const { referrerPolicy, hasKey } = (context.matches.at(-1)?.route.handle ?? {}) as Handle
  if (referrerPolicy) headers.set('referrer-policy', referrerPolicy)
  if (hasKey) headers.set('cache-control', 'no-store')
  return headers
}

/** Meta tags of the document, with its public address. */
function headOf({ matches, loaderData, errors }: StaticHandlerContext, url: string, brand: Brand): string {
  const routes = matches.map(({ route }) => ({ handle: route.handle, data: loaderData[route.id] }))
  return documentHead({
    routes,
    url: new URL(url),
    head: heads[patternOf(matches)],
    feeds: FEEDS,
    brand,
    error: Object.values(errors ?? {})[0],
  })
}
