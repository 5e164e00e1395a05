import type { Brand } from '#brand'
import { escapeHtml } from '#html'
import { descriptionOf, type MatchedRoute, ownTitleOf, titleOf } from './page-title.ts'

/** Meta tags of a public page. `data` is its loader's. */
export interface Head<Data = never> {
  /** Canonical address: '/things/7/its-name'. Default: its path. */
  address?: (data: Data) => string
  /** Parameters that select a part of the page. */
  selects?: readonly string[]
  /** Whether search engines may list it; default: yes. */
  listed?: boolean
  /** Open Graph type; default: 'website'. */
  type?: string
  /** Share picture: path of a jpeg, and its size in pixels. */
  picture: (data: Data, brand: Brand) => Picture
  /** Query of its feeds: { category: 'Home & Living' }. Without it the page has none. */
  feed?: (data: Data, query: URLSearchParams) => Record<string, string>
  /** Structured data (schema.org); `origin` is the shop's. */
  structuredData?: (data: Data, origin: string, brand: Brand) => object[]
}

interface Picture {
  address: string
  width: number
  height: number
}

interface HeadInput {
  /** Routes of the page, outermost first. */
  routes: MatchedRoute[]
  /** Public address of the request. */
  url: URL
  /** Undefined for private pages. */
  head: Head | undefined
  /** Path of the feeds, without extension. */
  feeds: string
  brand: Brand
  error: unknown
}

/**
 * The <head>: title, description, canonical address, feeds and structured data. Unknown parameters are not part of
 * the canonical address. Pages with parameters that page, sort or filter are followed but not listed, and have no
 * canonical address, because their content differs. Private pages are not listed.
 */
export function documentHead({ routes, url, head, feeds, brand, error }: HeadInput): string {
  const title = titleOf(routes, brand, error)
  const description = descriptionOf(routes, brand)
  const own = [`<title>${escapeHtml(title)}</title>`, meta('name', 'description', description)]
  if (!head || error !== undefined) return [...own, NOT_LISTED].join('\n')
  const chosen = head.listed === false || (head.selects?.some(name => url.searchParams.has(name)) ?? false)
  const data = routes.at(-1)?.data as never
  const address = chosen ? undefined : url.origin + (head.address?.(data) ?? url.pathname)
  return [
    ...own,
    ...(chosen ? [NOT_LISTED] : []),
    ...(address ? [`<link rel="canonical" href="${escapeHtml(address)}">`] : []),
    ...(head.feed
      ? feedsOf(head.feed(data, url.searchParams), url.origin + feeds, brand.name, ownTitleOf(routes))
      : []),
    meta('property', 'og:site_name', brand.name),
    meta('property', 'og:type', head.type ?? 'website'),
    meta('property', 'og:title', ownTitleOf(routes) ?? title),
    meta('property', 'og:description', description),
    ...(address ? [meta('property', 'og:url', address)] : []),
    ...pictureTags(head.picture(data, brand), url.origin, ownTitleOf(routes) ?? brand.name),
    ...(address ? (head.structuredData?.(data, url.origin, brand).map(jsonLd) ?? []) : []),
  ].join('\n')
}

const pictureTags = ({ address, width, height }: Picture, origin: string, name: string) => [
  meta('property', 'og:image', origin + address),
  meta('property', 'og:image:type', 'image/jpeg'),
  meta('property', 'og:image:width', String(width)),
  meta('property', 'og:image:height', String(height)),
  meta('property', 'og:image:alt', name),
  meta('name', 'twitter:card', 'summary_large_image'),
]

const feedsOf = (
  query: Record<string, string>,
  address: string,
  shop: string,
  name = 'fresh from the workbench',
) =>
  [
    ['atom+xml', 'atom'],
    ['feed+json', 'json'],
  ].map(([type, ending]) => {
    const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''
    const href = escapeHtml(`${address}.${ending}${search}`)
    const title = escapeHtml(`${shop} · ${name}`)
    return `<link rel="alternate" type="application/${type}" title="${title}" href="${href}">`
  })

/** Data, not a script: the Content-Security-Policy does not apply. */
const jsonLd = (about: object) =>
  `<script type="application/ld+json">${scriptSafe({ '@context': 'https://schema.org', ...about })}</script>`

/** JSON that is safe inside <script>. */
export const scriptSafe = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const NOT_LISTED = '<meta name="robots" content="noindex">'

const meta = (kind: 'name' | 'property', name: string, content: string) =>
  `<meta ${kind}="${name}" content="${escapeHtml(content)}">`
