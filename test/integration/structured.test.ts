import { Validator } from '@adobe/structured-data-validator/src/validator.js'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brand } from '#brand'
import { CATEGORIES, categoryAddress } from '#products/categories.ts'
import { listingPath } from '#products/slug.ts'
import { vocabulary } from '../support/schema-org.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

const AT = 'https://thrum.example'
let shop: TestShop
let ana: Person
let photo: Buffer
beforeAll(async () => {
  shop = await openShop({ settings: { PUBLIC_URL: AT } })
  ana = await shop.signUp('ana')
  photo = await sharp({ create: { width: 900, height: 700, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
})
afterAll(() => shop.close())

interface Thing {
  '@context': string
  '@type': string
  // biome-ignore lint/suspicious/noExplicitAny: what search engines read is JSON, looked into freely
  [property: string]: any
}

/** Structured data of a page. */
async function thingsOn(path: string): Promise<Thing[]> {
  const { body } = await shop.visitor().get(path)
  const blocks = body.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)
  return [...blocks].map(([, json = '']) => JSON.parse(json))
}

const validator = new Validator(vocabulary())
const IN_SCHEMA = 'https://schema.org/'
const terms = new Set(vocabulary()['@graph'].map(term => term['@id'].replace('schema:', IN_SCHEMA)))

/** schema.org URLs in a value, such as those of availability. */
function termsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith(IN_SCHEMA) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(termsIn) : []
}

/** Violations of the rules of schema.org and of Google, without recommendations. */
async function faultsOf(things: Thing[]) {
  const jsonld: Record<string, Thing[]> = {}
  for (const thing of structuredClone(things)) jsonld[thing['@type']] = [thing]
  const issues = await validator.validate({ jsonld })
  return [
    ...issues
      .filter(({ severity, errorType }) => severity === 'ERROR' || errorType === 'schemaOrg')
      .map(({ issueMessage, path }) => `${JSON.stringify(path)}: ${issueMessage}`),
    ...termsIn(things)
      .filter(term => !terms.has(term))
      .map(term => `${term} is no term of schema.org`),
  ]
}

const withPhoto = async (draft = {}) => {
  const listing = await shop.list(ana, draft)
  await ana.upload(`/api/products/${listing.id}/images`, photo)
  return listing
}

test('the validator finds missing properties', async () => {
  const things = await thingsOn(listingPath(await withPhoto()))
  const [product] = structuredClone(things)
  delete product!.name
  delete product!.offers.price
  expect(await faultsOf([product!])).toHaveLength(2)
})

test.each<[string, (product: Thing, shop: Thing, site: Thing) => unknown, string]>([
  ['a wrong property', product => Object.assign(product, { colour: 'blue' }), '"colour" for type "Product"'],
  [
    'a property of another type',
    product => Object.assign(product.offers, { jobTitle: 'x' }),
    '"jobTitle" for type "Offer"',
  ],
  [
    'a wrong property deep inside',
    (_, __, site) => Object.assign(site.potentialAction.target, { url_template: 'x' }),
    '"url_template" for type "EntryPoint"',
  ],
  [
    'a wrong type',
    (_, shop) => Object.assign(shop, { '@type': 'Organisation' }),
    '"Organisation" is not a valid schema.org type',
  ],
  [
    'a wrong type inside',
    product => Object.assign(product.brand, { '@type': 'Trademark' }),
    '"Trademark" is not a valid schema.org type',
  ],
  [
    'a wrong term',
    product => Object.assign(product.offers, { availability: `${IN_SCHEMA}InStok` }),
    'InStok is no term of schema.org',
  ],
])('the validator refuses %s', async (_, spoil, message) => {
  const [product] = await thingsOn(listingPath(await withPhoto()))
  const [shop, site] = await thingsOn('/')
  const things = [product!, shop!, site!] as const
  expect(await faultsOf([...things])).toEqual([])
  spoil(...things)
  expect(await faultsOf([...things])).toEqual([expect.stringContaining(message)])
})

test('a listing has its price, availability and reviews', async () => {
  const bowl = await withPhoto({ name: 'Blue bowl', price: 24.5, stock: 2 })
  const people: Person[] = []
  for (const [index, name] of ['ben', 'cleo', 'dana', 'eli'].entries()) {
    const person = await shop.signUp(name)
    people.push(person)
    await person.post(`/api/reviews/${bowl.id}/create-review`, {
      review: `Said by ${name}.`,
      stars: 2 + index,
    })
  }
  const things = await thingsOn(`/products/${bowl.id}`)
  expect(await faultsOf(things)).toEqual([])
  const [product, trail] = things
  expect(product).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: 'Blue bowl',
    url: AT + listingPath(bowl),
    brand: { name: bowl.seller },
    offers: {
      '@type': 'Offer',
      price: '24.50',
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
      url: AT + listingPath(bowl),
      seller: { name: bowl.seller, url: `${AT}/shops/${bowl.seller}` },
    },
    aggregateRating: { ratingValue: 3.5, reviewCount: 4, bestRating: 5, worstRating: 1 },
  })
  expect(product!.image).toEqual([
    expect.stringMatching(/^https:\/\/thrum\.example\/images\/[0-9a-f]{32}\/900\.webp$/),
  ])
  expect(product!.review).toHaveLength(3)
  expect(product!.review[0]).toMatchObject({
    author: { name: people.at(-1)?.name },
    reviewBody: 'Said by eli.',
    reviewRating: { ratingValue: 5 },
  })
  expect(trail).toMatchObject({
    '@type': 'BreadcrumbList',
    itemListElement: [
      { position: 1, name: brand.name, item: `${AT}/` },
      { position: 2, name: 'Home & Living', item: `${AT}/categories/home-living` },
      { position: 3, name: 'Blue bowl', item: AT + listingPath(bowl) },
    ],
  })
})

test('without reviews there is no rating; a sold-out listing is marked', async () => {
  const bowl = await withPhoto({ stock: 1 })
  await ana.post(`/api/cart_items/add/${bowl.id}`, { quantity: 1 })
  await ana.post('/api/orders/checkout')
  const things = await thingsOn(`/products/${bowl.id}`)
  expect(await faultsOf(things)).toEqual([])
  expect(things[0]!.offers.availability).toBe('https://schema.org/OutOfStock')
  expect(things[0]).not.toHaveProperty('aggregateRating')
  expect(things[0]).not.toHaveProperty('review')
})

test('the landing page has the organization and its search', async () => {
  const things = await thingsOn('/')
  expect(await faultsOf(things)).toEqual([])
  expect(things.map(thing => thing['@type'])).toEqual(['Organization', 'WebSite'])
  expect(things[1]!.potentialAction).toEqual({
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${AT}/search?q={words}` },
    'query-input': 'required name=words',
  })
  expect((await shop.visitor().get(things[0]!.logo.slice(AT.length))).status).toBe(200)
})

test('a category has breadcrumbs', async () => {
  for (const category of CATEGORIES) {
    const things = await thingsOn(categoryAddress(category))
    expect(await faultsOf(things)).toEqual([])
    expect(things[0]!.itemListElement[1]).toMatchObject({
      name: category,
      item: AT + categoryAddress(category),
    })
  }
})

test('a seller’s page has a profile', async () => {
  const cleo = await shop.signUp('cleo')
  const { username } = cleo.user
  await cleo.put(`/api/shops/${username}`, { words: 'Turns bowls of ash.', place: '' })
  const things = await thingsOn(`/shops/${username.toUpperCase()}`)
  expect(await faultsOf(things)).toEqual([])
  expect(things).toMatchObject([
    {
      '@type': 'ProfilePage',
      mainEntity: { name: username, url: `${AT}/shops/${username}`, description: 'Turns bowls of ash.' },
    },
  ])
})

test.each([
  '</script><script>alert(1)</script>',
  '<!--<script>',
  `"}],"name":"x'&quot;`,
  '🧶 كأس \u202e\u2028\u2029',
  '𝕏'.repeat(50),
])('a listing and a review with the text %j stay data', async name => {
  const listing = await withPhoto({ name, description: name })
  await ana.post(`/api/reviews/${listing.id}/create-review`, { review: name, stars: 5 })
  const things = await thingsOn(`/products/${listing.id}`)
  expect(await faultsOf(things)).toEqual([])
  const [product, trail] = things
  expect([product!.name, product!.review[0].reviewBody]).toEqual([listing.name, name.trim()])
  expect(trail!.itemListElement[2].name).toBe(listing.name)
})

test('private pages, pages of lists and errors have no structured data', async () => {
  for (const path of ['/cart', '/login', '/?sort=newest', '/nothing', '/products/9999999'])
    expect(await thingsOn(path)).toEqual([])
})
