import type { Brand } from '#brand'

/**
 * Title and description of a route; `data` is its loader's. The title changes with navigation. The rest of the head
 * is only in the served document: see meta-tags.ts, which no browser loads.
 */
export interface Handle<Data = unknown> {
  title?: (data: Data) => string
  description?: (data: Data) => string
  /** Instead of the usual Referrer-Policy, where the address itself is a secret. */
  referrerPolicy?: 'strict-origin'
  /** Each copy of the page has an idempotency key of its own: it is not cached. */
  hasKey?: true
}

/** A matched route with its loader data. */
export interface MatchedRoute {
  handle: unknown
  data: unknown
}

const errorTitles: Record<number, string> = {
  404: 'Page not found',
  405: 'Method not allowed',
}

/** Document title: the deepest route's, then the shop's name. */
export function titleOf(
  routes: MatchedRoute[],
  brand: Pick<Brand, 'name' | 'tagline'>,
  error?: unknown,
): string {
  if (error !== undefined) {
    const status = (error as { status?: number }).status ?? 500
    return `${errorTitles[status] ?? 'Unexpected Application Error!'} · ${brand.name}`
  }
  const title = ownTitleOf(routes)
  return title ? `${title} · ${brand.name}` : `${brand.name} · ${brand.tagline}`
}

/** The page's own title, if it has one. */
export const ownTitleOf = (routes: MatchedRoute[]): string | undefined => deepest(routes, 'title')

/** Meta description. */
export const descriptionOf = (routes: MatchedRoute[], { description }: Pick<Brand, 'description'>): string =>
  deepest(routes, 'description') ?? description

function deepest(routes: MatchedRoute[], field: 'title' | 'description'): string | undefined {
  for (const { handle, data } of routes.toReversed()) {
    const read = (handle as Handle | undefined)?.[field]
    if (read && data !== undefined) return read(data)
  }
  return undefined
}
