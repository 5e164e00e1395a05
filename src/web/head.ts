import { brand } from '#brand'

/** What a route says about its page; `data` is what its loader gave. */
export interface Handle<Data = unknown> {
  title?: (data: Data) => string
  description?: (data: Data) => string
}

interface Page {
  handle: unknown
  data: unknown
}

const errorTitles: Record<number, string> = {
  0: 'The connection was lost',
  404: 'Page not found',
  405: 'Method not allowed',
}

/** The document's title: the deepest page that has one, then the shop's name. */
export function titleOf(pages: Page[], error?: unknown): string {
  if (error !== undefined) {
    const status = (error as { status?: number }).status ?? 500
    return `${errorTitles[status] ?? 'Unexpected Application Error!'} · ${brand.name}`
  }
  const title = deepest(pages, 'title')
  return title ? `${title} · ${brand.name}` : `${brand.name} · ${brand.tagline}`
}

/** The document's description for search engines. */
export const descriptionOf = (pages: Page[]): string => deepest(pages, 'description') ?? brand.description

function deepest(pages: Page[], what: keyof Handle): string | undefined {
  for (const { handle, data } of pages.toReversed()) {
    const say = (handle as Handle | undefined)?.[what]
    if (say && data !== undefined) return say(data)
  }
  return undefined
}
