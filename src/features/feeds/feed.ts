import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Brand } from '#brand'
import { shopId } from '#platform/database/database.ts'
import { CATEGORIES, categoryPath } from '#products/categories.ts'
import type { Listing } from '#products/contract.ts'
import { tagsOf } from '#products/details.ts'
import { listingPath } from '#products/slug.ts'
import { calls, type FoundPage } from '#search/contract.ts'
import { brandOf } from '#site/brand.ts'

/** The newest entries of a list of listings. All addresses are absolute. */
export interface Feed {
  /** Does not depend on the shop's address. */
  id: string
  title: string
  /** Addresses of the feed itself, of the page with the same listings, and of the next page of the feed. */
  address: string
  page: string
  next: string | undefined
  /** When the newest was listed, ISO 8601. */
  updated: string
  entries: Entry[]
  brand: Pick<Brand, 'name' | 'description' | 'version'>
}
interface Entry {
  id: string
  address: string
  listing: Listing
  tags: string[]
  picture: string | undefined
}

/** Query parameters: those of the list of listings. */
const PARAMETERS = Object.keys(calls['GET /api/products/'].query.def.shape)
/** Default number of entries. */
const LIMIT = '24'
/** `updated` of an empty feed. */
const NEVER = '1970-01-01T00:00:00.000Z'

/** Known parameters in a fixed order, so that equal queries have one feed. */
export const feedQuery = (query: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    PARAMETERS.filter(name => query[name] !== undefined).map(name => [name, query[name] as string]),
  )

/**
 * The listings of a query, newest first by default, through the API's own call. `origin` is the shop's, `path`
 * the feed's.
 * @throws Problem 400 as the call does
 */
export async function feedOf(
  query: Record<string, string>,
  { origin, path }: { origin: string; path: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Feed> {
  const list = request.server.calls.get('GET /api/products/')
  const brand = await brandOf(request)
  const found = (await list?.(
    { query: { limit: LIMIT, sort: 'newest', ...query } },
    request,
    reply,
  )) as FoundPage
  const tags = await tagsOf(
    request.server.db,
    found.products.map(({ id }) => id),
  )
  const idOf = namesIn(await shopId(request.server.db))
  const { cursor: _, ...whole } = query
  const address = (extra = {}) => origin + withQuery(path, { ...query, ...extra })
  return {
    // All pages are one feed (RFC 5005).
    id: idOf(`feed ${withQuery('', whole)}`),
    brand,
    title: titleOf(query, brand.name),
    address: address(),
    page: origin + pageOf(query),
    next: found.next_cursor === null ? undefined : address({ cursor: found.next_cursor }),
    updated:
      found.products
        .map(({ created_at }) => created_at)
        .sort()
        .at(-1) ?? NEVER,
    entries: found.products.map(listing => ({
      id: idOf(`listing ${listing.id}`),
      address: origin + listingPath(listing),
      listing,
      tags: tags.get(listing.id) ?? [],
      picture: pictureOf(origin, listing),
    })),
  }
}

/** A medium-sized photo, if the listing has one. */
function pictureOf(origin: string, { images: [image] }: Listing): string | undefined {
  if (!image?.width) return undefined
  const medium = image.srcset.split(', ').find(entry => entry.endsWith(' 640w'))
  return origin + (medium?.split(' ')[0] ?? image.url)
}

function titleOf({ category, seller, q }: Record<string, string>, shop: string): string {
  const parts = [q && `“${q}”`, category, seller && `by ${seller}`].filter(Boolean)
  return [shop, ...(parts.length > 0 ? parts : ['fresh from the workbench'])].join(' · ')
}

/** The HTML page with the same listings. */
function pageOf(query: Record<string, string>): string {
  const { cursor, limit, ...filters } = query
  const category = CATEGORIES.find(name => name === filters.category)
  if (Object.keys(filters).length === 0) return '/'
  if (Object.keys(filters).length === 1) {
    if (category) return categoryPath(category)
  }
  const { seller, ...others } = filters
  if (seller) return withQuery(`/shops/${encodeURIComponent(seller)}`, others)
  return withQuery('/search', filters)
}

const withQuery = (path: string, query: Record<string, string>): string =>
  Object.keys(query).length === 0 ? path : `${path}?${new URLSearchParams(query)}`

/**
 * Makes ids: a UUID of version 5 (RFC 9562) whose namespace is the shop's id. Stable when the shop's address
 * changes; differs between shops.
 */
function namesIn(shop: string): (name: string) => string {
  const namespace = Buffer.from(shop.replaceAll('-', ''), 'hex')
  return name => {
    const hash = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16)
    hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6)
    hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
    const [, ...groups] = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(hash.toString('hex')) ?? []
    return `urn:uuid:${groups.join('-')}`
  }
}
