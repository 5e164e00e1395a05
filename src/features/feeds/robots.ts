import type { Brand } from '#brand'
import { firstCharacters } from '#text'
import { documentOf, element } from './xml.ts'

/** Private pages, and those that only change something. '$' ends an address (RFC 9309). */
const PRIVATE = [
  '/api/',
  '/cart',
  '/confirm-email',
  '/drafts',
  '/favourites',
  '/forgot-password',
  '/import',
  '/letters/',
  '/login',
  '/messages',
  '/notifications',
  '/operate',
  '/orders',
  '/products/new',
  '/products/*/edit$',
  '/products/*/create-review$',
  '/products/*/edit-review$',
  '/products/*/delete-review$',
  '/report',
  '/reset-password',
  '/settings',
  '/setup/',
  '/signup',
  '/sold',
  '/your-listings',
]

/** robots.txt. */
export const robots = (origin: string): string =>
  [
    'User-agent: *',
    ...PRIVATE.map(path => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')

/** OpenSearch 1.1: lets a browser add the shop's search. */
export function openSearch(
  origin: string,
  { name, description }: Pick<Brand, 'name' | 'description'>,
): string {
  const url = (type: string, template: string, rel = 'results') => element('Url', { type, rel, template })
  return documentOf(
    element(
      'OpenSearchDescription',
      { xmlns: 'http://a9.com/-/spec/opensearch/1.1/' },
      element('ShortName', {}, firstCharacters(name, 16)),
      element('Description', {}, description),
      element('InputEncoding', {}, 'UTF-8'),
      element('Image', { width: '32', height: '32', type: 'image/x-icon' }, `${origin}/favicon.ico`),
      url('text/html', `${origin}/search?q={searchTerms}`),
      url('application/atom+xml', `${origin}/feeds/listings.atom?q={searchTerms}`),
      url('application/opensearchdescription+xml', `${origin}/opensearch.xml`, 'self'),
    ),
  )
}
