import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultBrand } from '#brand'
import { CATEGORIES, categoryPath } from '#products/categories.ts'
import { listingPath } from '#products/slug.ts'
import { itsDetails } from '../support/listings.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'
import { faultsOf, type Item } from '../support/structured-data.ts'

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

/** Structured data of a page. */
async function itemsOn(path: string): Promise<Item[]> {
  const { body } = await shop.visitor().get(path)
  const blocks = body.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)
  return [...blocks].map(([, json = '']) => JSON.parse(json))
}

const withPhoto = async (input = {}) => {
  const listing = await shop.list(ana, input)
  await ana.upload(`/api/products/${listing.id}/images`, photo)
  return listing
}

test('the validator finds missing properties', async () => {
  const items = await itemsOn(listingPath(await withPhoto()))
  const [product] = structuredClone(items)
  delete product!.name
  delete product!.offers.price
  expect(await faultsOf([product!])).toHaveLength(2)
})

test.each<[string, (product: Item, shop: Item, site: Item) => unknown, string]>([
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
    product => Object.assign(product.offers, { availability: 'https://schema.org/InStok' }),
    'InStok is no term of schema.org',
  ],
])('the validator refuses %s', async (_, spoil, message) => {
  const [product] = await itemsOn(listingPath(await withPhoto()))
  const [shop, site] = await itemsOn('/')
  const items = [product!, shop!, site!] as const
  expect(await faultsOf([...items])).toEqual([])
  spoil(...items)
  expect(await faultsOf([...items])).toEqual([expect.stringContaining(message)])
})

test('while its maker is on holiday, nothing is in stock', async () => {
  const maker = await shop.signUp('mila')
  const { id } = await shop.list(maker, { stock: 2 })
  const availability = async () => (await itemsOn(`/products/${id}`))[0]!.offers.availability
  expect(await availability()).toBe('https://schema.org/InStock')
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const holiday = { from: day(-1), until: day(7), note: 'At the sea.' }
  expect((await maker.put('/api/holiday/', holiday)).status).toBe(200)
  expect(await availability()).toBe('https://schema.org/OutOfStock')
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
  const items = await itemsOn(`/products/${bowl.id}`)
  expect(await faultsOf(items)).toEqual([])
  const [product, trail] = items
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
      { position: 1, name: defaultBrand.name, item: `${AT}/` },
      { position: 2, name: 'Home & Living', item: `${AT}/categories/home-living` },
      { position: 3, name: 'Blue bowl', item: AT + listingPath(bowl) },
    ],
  })
})

test('a listing has the postage to countries that have a price of their own', async () => {
  const rate = { first: 4.5, further: 1, days_min: 2, days_max: 6 }
  const rates = ['*', 'PT', 'EU'].map(destination => ({ ...rate, destination }))
  const profile = { name: 'Post', rates, pickup_places: [] }
  const { body } = await ana.post('/api/postage/', profile)
  const { id } = await shop.list(ana, { postage_profile_id: body.id, handling_days: 5 })
  const items = await itemsOn(`/products/${id}`)
  expect(await faultsOf(items)).toEqual([])
  expect(items[0]!.offers.shippingDetails).toEqual([
    {
      '@type': 'OfferShippingDetails',
      shippingRate: { '@type': 'MonetaryAmount', value: '4.50', currency: 'USD' },
      shippingDestination: { '@type': 'DefinedRegion', addressCountry: 'PT' },
      deliveryTime: {
        '@type': 'ShippingDeliveryTime',
        handlingTime: { '@type': 'QuantitativeValue', minValue: 1, maxValue: 5, unitCode: 'DAY' },
        transitTime: { '@type': 'QuantitativeValue', minValue: 2, maxValue: 6, unitCode: 'DAY' },
      },
    },
  ])
  expect((await itemsOn(`/products/${(await shop.list(ana)).id}`))[0]!.offers).not.toHaveProperty(
    'shippingDetails',
  )
})

test('a listing has its materials, weight, size and tags', async () => {
  const { id } = await shop.list(ana, itsDetails)
  const items = await itemsOn(`/products/${id}`)
  expect(await faultsOf(items)).toEqual([])
  const measured = (value: number, unitCode: string) => ({ '@type': 'QuantitativeValue', value, unitCode })
  expect(items[0]).toMatchObject({
    alternateName: itsDetails.title,
    keywords: 'tea mug, wood fired',
    material: ['Stoneware', 'Ash glaze'],
    weight: measured(340, 'GRM'),
    depth: measured(125, 'MMT'),
    width: measured(84, 'MMT'),
    height: measured(96, 'MMT'),
  })
  const [plain] = await itemsOn(`/products/${(await shop.list(ana)).id}`)
  for (const property of ['alternateName', 'keywords', 'material', 'weight', 'depth', 'width', 'height'])
    expect(plain).not.toHaveProperty(property)
})

test('without reviews there is no rating; a sold-out listing is marked', async () => {
  const bowl = await withPhoto({ stock: 1 })
  await ana.post(`/api/cart_items/add/${bowl.id}`, { quantity: 1 })
  await ana.post('/api/orders/checkout')
  const items = await itemsOn(`/products/${bowl.id}`)
  expect(await faultsOf(items)).toEqual([])
  expect(items[0]!.offers.availability).toBe('https://schema.org/OutOfStock')
  expect(items[0]).not.toHaveProperty('aggregateRating')
  expect(items[0]).not.toHaveProperty('review')
})

test('the landing page has the organization and its search', async () => {
  const items = await itemsOn('/')
  expect(await faultsOf(items)).toEqual([])
  expect(items.map(item => item['@type'])).toEqual(['Organization', 'WebSite'])
  expect(items[1]!.potentialAction).toEqual({
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${AT}/search?q={words}` },
    'query-input': 'required name=words',
  })
  expect((await shop.visitor().get(items[0]!.logo.slice(AT.length))).status).toBe(200)
})

test('a category has breadcrumbs', async () => {
  for (const category of CATEGORIES) {
    const items = await itemsOn(categoryPath(category))
    expect(await faultsOf(items)).toEqual([])
    expect(items[0]!.itemListElement[1]).toMatchObject({
      name: category,
      item: AT + categoryPath(category),
    })
  }
})

test('a seller’s page has a profile', async () => {
  const cleo = await shop.signUp('cleo')
  const { username } = cleo.user
  await cleo.put(`/api/shops/${username}`, { words: 'Turns bowls of ash.', place: '' })
  const items = await itemsOn(`/shops/${username.toUpperCase()}`)
  expect(await faultsOf(items)).toEqual([])
  expect(items).toMatchObject([
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
  const items = await itemsOn(`/products/${listing.id}`)
  expect(await faultsOf(items)).toEqual([])
  const [product, trail] = items
  expect([product!.name, product!.review[0].reviewBody]).toEqual([listing.name, name.trim()])
  expect(trail!.itemListElement[2].name).toBe(listing.name)
})

test('private pages, pages of lists and errors have no structured data', async () => {
  for (const path of ['/cart', '/login', '/?sort=newest', '/nothing', '/products/9999999'])
    expect(await itemsOn(path)).toEqual([])
})
