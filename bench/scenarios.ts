/** The scenarios, each with its baseline. */
import sharp from 'sharp'
import { readPicture } from '../demo/pictures.ts'
import { CATEGORIES, categoryPath } from '../src/features/products/categories.ts'
import type { RealShop } from '../test/support/harness.ts'
import { adding, barePictures, bareServer, bareStatements, ordering, purchasing } from './baselines.ts'
import type { Budget } from './budget.ts'
import { CONNECTIONS, type Sent } from './load.ts'
import { SALES as SALES_OF } from './sales.ts'
import { newSearches, repeatedSearches } from './searches.ts'
import type { World } from './world.ts'

export interface Scenario {
  name: string
  budget?: Budget
  /** Requests of a connection, in turn. */
  sequence: (connection: number) => Sent[]
  connections?: number
  /** Requests per counted operation. */
  each?: number
  /** Background work, until it is stopped. */
  beside?: () => () => Promise<void>
  /** Operations per second of the baseline, and its name; undefined: none. */
  baseline?: () => Promise<{ perSecond: number; by: string }>
}

const GZIP = { 'accept-encoding': 'gzip' }
const JSON_BODY = { 'content-type': 'application/json' }
/** Listings and users per connection, before it repeats. */
const ROUNDS = 250
/** Sales per second beside the measured row. */
const SALES = 10
/** More concurrent photos are refused. */
const UPLOADING = 4

/** Name of the row of the Sold page. */
export const soldPageOf = (orders: keyof typeof SALES_OF): string =>
  `Sold page with ${SALES_OF[orders].toLocaleString('en-US')} orders`

export function scenariosOf(shop: RealShop, world: World): Scenario[] {
  const { people, listings, groups, piece, sellers } = world
  const bare = (path: string, headers: Record<string, string>) => async () => ({
    perSecond: await bareServer(shop.address + path, headers),
    by: 'node:http',
  })
  const statements = (script: string[]) => () => bareStatements(shop.connection(), world, script)
  const reads = (
    name: string,
    path: string,
    ratio: number,
    headers: Record<string, string> = {},
  ): Scenario => ({
    name,
    budget: { ratio },
    sequence: () => [{ path, headers }],
    baseline: bare(path, headers),
  })
  /** All users in turn, from a different start for each connection. */
  const signedIn = (name: string, path: string): Scenario => ({
    name: `${name}, signed in`,
    budget: { perSecond: 2_000 },
    sequence: connection =>
      people.map((_, round) => {
        const { cookie } = people[(round + 7 * connection) % people.length]!
        return { path, headers: { ...GZIP, cookie } }
      }),
    baseline: bare(path, { ...GZIP, cookie: people[0]!.cookie }),
  })
  /** A user of this connection alone: each for two rounds. */
  const cookieAt = (connection: number, round: number): string => {
    const own = people.filter((_, index) => index % CONNECTIONS === connection)
    return own[Math.floor(round / 2) % own.length]!.cookie
  }
  const addTo = (cookie: string, listing: number | undefined): Sent => ({
    method: 'POST',
    path: `/api/cart_items/add/${listing}`,
    headers: { ...JSON_BODY, cookie },
    body: '{"quantity":1}',
  })
  /** Adds another listing each time. */
  const add = (connection: number, round: number): Sent =>
    addTo(cookieAt(connection, round), listings[(connection * ROUNDS + round * 31) % listings.length])
  const soldPage = (orders: keyof typeof SALES_OF): Scenario => ({
    name: soldPageOf(orders),
    sequence: () => [{ path: '/sold', headers: { ...GZIP, cookie: sellers[orders] } }],
  })
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round)
  return [
    reads('list of 24, JSON', '/api/products/?limit=24', 0.35),
    reads('product, JSON', `/api/products/${piece}`, 0.35),
    reads('reviews, JSON', `/api/reviews/${piece}/reviews`, 0.35),
    {
      name: 'search, repeated words',
      sequence: repeatedSearches,
      baseline: bare(repeatedSearches()[0]?.path ?? '', {}),
    },
    {
      name: 'search, new words',
      sequence: () => newSearches(),
      budget: { perSecond: 1_000, p99: 80, listings: 100_000 },
    },
    { name: 'search page, new words', sequence: () => newSearches('/search?', GZIP) },
    reads('landing page, visitor', '/', 0.5, GZIP),
    reads('product page, visitor', `/products/${piece}`, 0.5, GZIP),
    reads('category page, visitor', categoryPath(CATEGORIES[0]), 0.5, GZIP),
    {
      name: `landing page, visitor, beside ${SALES} sales a second`,
      sequence: () => [{ path: '/', headers: GZIP }],
      baseline: bare('/', GZIP),
      beside: () => selling(shop, world),
    },
    signedIn('landing page', '/'),
    signedIn('product page', `/products/${piece}`),
    soldPage('few'),
    soldPage('many'),
    // Before the carts have hundreds of lines, which a first order would take.
    {
      name: 'orders: two adds and a checkout each',
      budget: { ratio: 0.35 },
      each: 3,
      sequence: connection =>
        rounds.flatMap(round => {
          const adds = [add(connection, 2 * round), add(connection, 2 * round + 1)]
          const { cookie = '' } = adds[0]?.headers ?? {}
          return [
            ...adds,
            { method: 'POST', path: '/api/orders/checkout', headers: { ...JSON_BODY, cookie } },
          ]
        }),
      baseline: statements(ordering),
    },
    {
      name: 'purchase with three makers: three adds and a checkout each',
      each: 4,
      budget: { ratio: 0.35 },
      sequence: connection =>
        rounds.flatMap(round => {
          const cookie = cookieAt(connection, 2 * round)
          const adds = groups.map(group =>
            addTo(cookie, group[(connection * ROUNDS + round * 31) % group.length]),
          )
          return [
            ...adds,
            { method: 'POST', path: '/api/orders/checkout', headers: { ...JSON_BODY, cookie } },
          ]
        }),
      baseline: statements(purchasing),
    },
    {
      name: 'add to cart',
      budget: { ratio: 0.3 },
      sequence: connection => rounds.map(round => add(connection, round)),
      baseline: statements(adding),
    },
  ]
}

/** Sells continuously: each sale is a public change. @throws Error if one failed */
function selling(shop: RealShop, { people, listings }: World): () => Promise<void> {
  const sales: Promise<void>[] = []
  const post = async (path: string, cookie: string, body: string) => {
    const sent = { method: 'POST', headers: { ...JSON_BODY, cookie }, body }
    const { status } = await fetch(shop.address + path, sent)
    if (status !== 201) throw new Error(`${path} answers ${status}`)
  }
  const sell = async (sale: number) => {
    const { cookie } = people[sale % people.length]!
    await post(`/api/cart_items/add/${listings[(sale * 17) % listings.length]}`, cookie, '{"quantity":1}')
    await post('/api/orders/checkout', cookie, '{}')
  }
  const timer = setInterval(() => {
    const sale = sell(sales.length)
    sale.catch(() => {})
    sales.push(sale)
  }, 1000 / SALES)
  return async () => {
    clearInterval(timer)
    await Promise.all(sales)
  }
}

/** Photos of a seller, one by one for different listings. */
export async function uploading({ makers }: World): Promise<Scenario> {
  const { files } = await readPicture('wall-hanging')
  const photo = await sharp(files.at(-1)!.bytes).resize(800).jpeg().toBuffer()
  const form = new FormData()
  form.set('image', new File([new Uint8Array(photo)], 'photo.jpg', { type: 'image/jpeg' }))
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  const body = Buffer.from(await encoded.arrayBuffer())
  return {
    name: `photo upload, ${UPLOADING} connections`,
    connections: UPLOADING,
    sequence: connection => {
      const { cookie, listings } = makers[connection % makers.length]!
      return listings.map(listing => ({
        method: 'POST',
        path: `/api/products/${listing}/images`,
        headers: { 'content-type': type, cookie },
        body,
      }))
    },
    baseline: async () => ({ perSecond: await barePictures(photo), by: 'sharp' }),
  }
}
