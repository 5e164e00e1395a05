import { brand } from '#brand'
import { descriptionOf, nameOf, type Page, titleOf } from './page-title.ts'

/** What a public page tells search engines, and programs that show a link to it. `data` is what its loader gave. */
export interface Head<Data = never> {
  /** The one address of the page among those that show it: '/things/7/its-name'. Unless told, its path. */
  address?: (data: Data) => string
  /** Parameters that show a part of the page or a choice from it. */
  selects?: readonly string[]
  /** Whether search engines may list it; yes unless told. */
  listed?: boolean
  /** Its type in Open Graph; 'website' unless told. */
  type?: string
  /** What is shown beside a link to it: the path of a jpeg, and its size in pixels. */
  picture: (data: Data) => Picture
  /** What its feeds are asked for: { category: 'Home & Living' }. Without it the page has none. */
  feed?: (data: Data, query: URLSearchParams) => Record<string, string>
  /** What the page is about, in the words of schema.org; `at` is the address of the shop. */
  things?: (data: Data, at: string) => object[]
}

interface Picture {
  address: string
  width: number
  height: number
}

interface Asked {
  /** The routes of the page, outermost first. */
  pages: Page[]
  /** The address that was asked for, as people reach the shop. */
  url: URL
  /** Undefined for pages that are nobody else's business. */
  head: Head | undefined
  /** Path of the feeds, without its ending. */
  feeds: string
  error: unknown
}

/**
 * Everything between <head> and </head> that says what the page is.
 *
 * Every page has one address at most for search engines. Parameters that the page does not know are not part of it.
 * Those that page, sort or filter make no page of their own: such a page is followed, not listed, and has no other
 * address to point to, because it shows something else. What is private is not listed either.
 */
export function documentHead({ pages, url, head, feeds, error }: Asked): string {
  const title = titleOf(pages, error)
  const description = descriptionOf(pages)
  const own = [`<title>${escapeHtml(title)}</title>`, meta('name', 'description', description)]
  if (!head || error !== undefined) return [...own, NOT_LISTED].join('\n')
  const chosen = head.listed === false || (head.selects?.some(name => url.searchParams.has(name)) ?? false)
  const data = pages.at(-1)?.data as never
  const address = chosen ? undefined : url.origin + (head.address?.(data) ?? url.pathname)
  return [
    ...own,
    ...(chosen ? [NOT_LISTED] : []),
    ...(address ? [`<link rel="canonical" href="${escapeHtml(address)}">`] : []),
    ...(head.feed ? feedsOf(head.feed(data, url.searchParams), url.origin + feeds, nameOf(pages)) : []),
    meta('property', 'og:site_name', brand.name),
    meta('property', 'og:type', head.type ?? 'website'),
    meta('property', 'og:title', nameOf(pages) ?? title),
    meta('property', 'og:description', description),
    ...(address ? [meta('property', 'og:url', address)] : []),
    ...pictureTags(head.picture(data), url.origin, nameOf(pages) ?? brand.name),
    ...(address ? (head.things?.(data, url.origin).map(thing) ?? []) : []),
  ].join('\n')
}

const pictureTags = ({ address, width, height }: Picture, at: string, name: string) => [
  meta('property', 'og:image', at + address),
  meta('property', 'og:image:type', 'image/jpeg'),
  meta('property', 'og:image:width', String(width)),
  meta('property', 'og:image:height', String(height)),
  meta('property', 'og:image:alt', name),
  meta('name', 'twitter:card', 'summary_large_image'),
]

const feedsOf = (query: Record<string, string>, at: string, name = 'fresh from the workbench') =>
  [
    ['atom+xml', 'atom'],
    ['feed+json', 'json'],
  ].map(([type, ending]) => {
    const asked = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''
    const href = escapeHtml(`${at}.${ending}${asked}`)
    const title = escapeHtml(`${brand.name} · ${name}`)
    return `<link rel="alternate" type="application/${type}" title="${title}" href="${href}">`
  })

/** Data and no script: the browser neither runs it nor asks the Content-Security-Policy. */
const thing = (about: object) =>
  `<script type="application/ld+json">${scriptSafe({ '@context': 'https://schema.org', ...about })}</script>`

/** JSON as it may stand in a <script>, whatever its texts hold. */
export const scriptSafe = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const NOT_LISTED = '<meta name="robots" content="noindex">'

const meta = (kind: 'name' | 'property', name: string, content: string) =>
  `<meta ${kind}="${name}" content="${escapeHtml(content)}">`

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** Text as it may stand in an element or in a quoted attribute. */
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, character => escapes[character] ?? character)
