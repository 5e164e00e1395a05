import { iconPath } from '#brand'
import { listedPrice } from '#products/listed-price.ts'
import type { Feed } from './feed.ts'
import { documentOf, element, escaped } from './xml.ts'

/** A feed as Atom (RFC 4287), in pages (RFC 5005). */
export function atom(feed: Feed): string {
  const entries = feed.entries.map(entry => {
    const { name, maker_name, category, created_at } = entry.listing
    return element(
      'entry',
      {},
      element('id', {}, entry.id),
      element('title', {}, name),
      element('link', { rel: 'alternate', type: 'text/html', href: entry.address }),
      element('published', {}, created_at),
      element('updated', {}, created_at),
      element('author', {}, element('name', {}, maker_name)),
      ...[category, ...entry.tags].map(term => element('category', { term })),
      element('content', { type: 'html' }, contentHtml(entry)),
    )
  })
  return documentOf(
    element(
      'feed',
      { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': 'en' },
      element('id', {}, feed.id),
      element('title', {}, feed.title),
      element('subtitle', {}, feed.brand.description),
      element('updated', {}, feed.updated),
      element('link', { rel: 'self', type: 'application/atom+xml', href: feed.address }),
      element('link', { rel: 'alternate', type: 'text/html', href: feed.page }),
      ...(feed.next ? [element('link', { rel: 'next', type: 'application/atom+xml', href: feed.next })] : []),
      element('author', {}, element('name', {}, feed.brand.name)),
      element('icon', {}, new URL(iconPath(feed.brand, 'icon-192.png'), feed.address).href),
      ...entries,
    ),
  )
}

/** A feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export function jsonFeed(feed: Feed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    description: feed.brand.description,
    home_page_url: feed.page,
    feed_url: feed.address,
    next_url: feed.next,
    icon: new URL(iconPath(feed.brand, 'icon-512.png'), feed.address).href,
    favicon: new URL('/favicon.ico', feed.address).href,
    language: 'en',
    authors: [{ name: feed.brand.name }],
    items: feed.entries.map(entry => ({
      id: entry.id,
      url: entry.address,
      title: entry.listing.name,
      content_html: contentHtml(entry),
      image: entry.picture,
      date_published: entry.listing.created_at,
      authors: [{ name: entry.listing.maker_name }],
      tags: [entry.listing.category, ...entry.tags],
    })),
  })
}

/** HTML content of an entry. */
function contentHtml({
  address,
  picture,
  listing: { name, description, maker_name, ...price },
}: Feed['entries'][number]): string {
  const photo = picture
    ? `<p><a href="${escaped(address)}"><img src="${escaped(picture)}" alt="${escaped(name)}"></a></p>`
    : ''
  return `${photo}<p dir="auto">${escaped(description)}</p><p>${listedPrice(price)} · made by ${escaped(maker_name)}</p>`
}
