import { brand } from '#brand'

/**
 * What a route says about its page; `data` is what its loader gave. The title follows a person from page to page. The
 * rest of the head matters in the served document alone, and is in documentHead.ts, which no browser loads.
 */
export interface Handle<Data = unknown> {
  title?: (data: Data) => string
  description?: (data: Data) => string
}

/** A route of the page, with what its loader gave. */
export interface Page {
  handle: unknown
  data: unknown
}

const errorTitles: Record<number, string> = {
  404: 'Page not found',
  405: 'Method not allowed',
}

/** The document's title: the deepest page that has one, then the shop's name. */
export function titleOf(pages: Page[], error?: unknown): string {
  if (error !== undefined) {
    const status = (error as { status?: number }).status ?? 500
    return `${errorTitles[status] ?? 'Unexpected Application Error!'} · ${brand.name}`
  }
  const title = nameOf(pages)
  return title ? `${title} · ${brand.name}` : `${brand.name} · ${brand.tagline}`
}

/** What the page itself is called, where it has a name. */
export const nameOf = (pages: Page[]): string | undefined => deepest(pages, 'title')

/** The document's description for search engines. */
export const descriptionOf = (pages: Page[]): string => deepest(pages, 'description') ?? brand.description

function deepest(pages: Page[], what: keyof Handle): string | undefined {
  for (const { handle, data } of pages.toReversed()) {
    const say = (handle as Handle | undefined)?.[what]
    if (say && data !== undefined) return say(data)
  }
  return undefined
}
