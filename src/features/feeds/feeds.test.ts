import { XMLValidator } from 'fast-xml-parser'
import { parseAtomFeed, parseJsonFeed } from 'feedsmith'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultBrand } from '#brand'
import type { Listing } from '#products/contract.ts'
import { listingPath } from '#products/slug.ts'
import { expectRefusal } from '../../../test/support/expect.ts'
import { faultsOfAtom, faultsOfJson } from '../../../test/support/feed-rules.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

const AT = 'https://thrum.example'
const ATOM = '/feeds/listings.atom'
const JSON_FEED = '/feeds/listings.json'
let shop: TestShop
let ana: Person
let ben: Person
let bowl: Listing
let hat: Listing
beforeAll(async () => {
  shop = await openShop({ settings: { PUBLIC_URL: AT } })
  ana = await shop.signUp('ana')
  ben = await shop.signUp('ben')
  bowl = await shop.list(ana, { name: 'Blue bowl', description: 'Holds soup & more.', price: 24.5 })
  hat = await shop.list(ben, { name: 'Felt hat', category: 'Clothing & Shoes', price: 60 })
  const photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
  await ana.upload(`/api/products/${bowl.id}/images`, await photo.png().toBuffer())
})
afterAll(() => shop.close())

/** A feed parsed as readers do, after validation against its format. */
async function atomAt(address: string) {
  const { status, body, headers } = await shop.visitor().get(address)
  expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8'])
  expect(XMLValidator.validate(body)).toBe(true)
  expect(faultsOfAtom(body)).toEqual([])
  return parseAtomFeed(body)
}
async function jsonAt(address: string) {
  const { status, body, headers } = await shop.visitor().get(address)
  expect([status, headers['content-type']]).toEqual([200, 'application/feed+json; charset=utf-8'])
  expect(faultsOfJson(body)).toEqual([])
  return parseJsonFeed(body)
}
const namesAt = async (query: string) => [
  (await atomAt(ATOM + query)).entries?.map(({ title }) => title?.value) ?? [],
  (await jsonAt(JSON_FEED + query)).items?.map(({ title }) => title) ?? [],
]

test('a feed contains the newest listings, with text, picture and seller', async () => {
  const feed = await atomAt(ATOM)
  expect(feed).toMatchObject({
    title: { value: `${defaultBrand.name} · fresh from the workbench` },
    updated: hat.created_at,
    links: [
      { rel: 'self', href: AT + ATOM },
      { rel: 'alternate', href: `${AT}/` },
    ],
  })
  const [newest, older] = feed.entries ?? []
  expect(newest).toMatchObject({
    title: { value: 'Felt hat' },
    published: hat.created_at,
    updated: hat.created_at,
    authors: [{ name: hat.seller }],
    categories: [{ term: 'Clothing & Shoes' }],
    links: [{ rel: 'alternate', type: 'text/html', href: AT + listingPath(hat) }],
  })
  expect(older?.content?.type).toBe('html')
  expect(older?.content?.value).toMatch(
    /^<p><a href="https:\/\/thrum\.example\/products\/\d+\/blue-bowl"><img src="https:\/\/thrum\.example\/images\/[0-9a-f]{32}\/640\.webp" alt="Blue bowl"><\/a><\/p><p dir="auto">Holds soup &amp; more\.<\/p><p>\$24\.50 · made by /,
  )
})

test('the JSON feed has the entries of the Atom feed', async () => {
  const feed = await jsonAt(JSON_FEED)
  expect(feed).toMatchObject({
    title: `${defaultBrand.name} · fresh from the workbench`,
    home_page_url: `${AT}/`,
    feed_url: AT + JSON_FEED,
    language: 'en',
  })
  expect(feed.items?.[1]).toMatchObject({
    url: AT + listingPath(bowl),
    title: 'Blue bowl',
    date_published: bowl.created_at,
    authors: [{ name: bowl.seller }],
    tags: ['Home & Living'],
    image: expect.stringMatching(/^https:\/\/thrum\.example\/images\/[0-9a-f]{32}\/640\.webp$/),
  })
  expect(feed.items?.[0]).not.toHaveProperty('image')
})

test('a category, a seller, a search and every filter have feeds', async () => {
  for (const [query, names] of [
    ['?category=Home+%26+Living', ['Blue bowl']],
    [`?seller=${ben.user.username}`, ['Felt hat']],
    ['?q=bowls', ['Blue bowl']],
    ['?min=50', ['Felt hat']],
    ['?max=50&in_stock=true', ['Blue bowl']],
    ['?sort=price_asc', ['Blue bowl', 'Felt hat']],
    ['?utm_source=x', ['Felt hat', 'Blue bowl']],
    ['?q=nothinglikeit', []],
  ] as const) {
    expect(await namesAt(query), query).toEqual([names, names])
  }
})

test('a feed of a seller with a filter leads to their page with it', async () => {
  const { username } = ben.user
  const query = `?seller=${username}&category=Home+%26+Living`
  const { body } = await shop.visitor().get(JSON_FEED + query)
  expect(body.home_page_url).toMatch(new RegExp(`/shops/${username}\\?category=Home\\+%26\\+Living$`))
})

test('a feed refuses what the list refuses', async () => {
  for (const path of [ATOM, JSON_FEED]) {
    for (const query of [
      'category=x',
      'limit=0',
      'cursor=x',
      'min=9&max=1',
      'sort=best',
      'q=a&q=b',
      `q=${'x'.repeat(101)}`,
    ]) {
      const [feed, list] = [await ana.get(`${path}?${query}`), await ana.get(`/api/products/?${query}`)]
      expectRefusal(feed, 400, list.body.message)
    }
  }
})

test('a feed has pages, and no entry is lost', async () => {
  const names: unknown[] = []
  const ids = new Set()
  for (let address: string | undefined = `${AT}${ATOM}?limit=1`; address; ) {
    const feed = await atomAt(address.slice(AT.length))
    ids.add(feed.id)
    names.push(...(feed.entries ?? []).map(({ title }) => title?.value))
    address = feed.links?.find(({ rel }) => rel === 'next')?.href
  }
  expect(names).toEqual(['Felt hat', 'Blue bowl'])
  expect(ids.size).toBe(1)
  const first = await jsonAt(`${JSON_FEED}?limit=1`)
  expect((await jsonAt(String(first.next_url).slice(AT.length))).items?.map(({ title }) => title)).toEqual([
    'Blue bowl',
  ])
})

test('ids of feeds and entries are the same in both formats and at every address', async () => {
  const other = await openShop()
  try {
    const atom = await atomAt(ATOM)
    const ids = (atom.entries ?? []).map(({ id }) => id)
    for (const id of [atom.id, ...ids])
      expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect((await jsonAt(JSON_FEED)).items?.map(({ id }) => id)).toEqual(ids)
    const maker = await other.signUp('maker')
    const mug = await other.list(maker)
    const idAt = async (host: string) =>
      /<entry><id>(.*?)<\/id>.*?<link [^>]*href="(.*?)"/
        .exec((await other.visitor().get(ATOM, { host })).body)
        ?.slice(1)
    const [first, second] = [await idAt('one.example'), await idAt('two.example')]
    expect(first?.[0]).toBe(second?.[0])
    expect([first?.[1], second?.[1]]).toEqual([
      `http://one.example${listingPath(mug)}`,
      `http://two.example${listingPath(mug)}`,
    ])
    expect(ids).not.toContain(first?.[0])
    await maker.put(`/api/products/${mug.id}`, { ...mug, name: 'Another name' })
    expect((await idAt('one.example'))?.[0]).toBe(first?.[0])
  } finally {
    await other.close()
  }
})

test.each([
  '</title><script>alert(1)</script>',
  ']]><x>&bad;',
  `"'><img src=x onerror=alert(1)>`,
  'bell \u0007 and escape \u001b[31m',
  'x\ufffe\uffff 🧶 \u202e كأس',
  '𝕏'.repeat(50),
])('a listing called %j breaks no feed', async name => {
  const listing = await shop.list(ana, { name, description: name })
  // XML drops these characters.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones
  const legible = listing.name.replace(/[\u0007\u001b\ufffe\uffff]/g, '')
  const [entry] = (await atomAt(`${ATOM}?limit=1`)).entries ?? []
  expect(entry?.title?.value).toBe(legible)
  const [item] = (await jsonAt(`${JSON_FEED}?limit=1`)).items ?? []
  expect(item?.title).toBe(listing.name)
  for (const html of [entry?.content?.value, item?.content_html]) expect(html).not.toMatch(/<(script|img|x)/)
  await ana.delete(`/api/products/${listing.id}`)
})
