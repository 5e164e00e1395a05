import { Signup } from '#accounts/contract.ts'
import { ListingFields } from '#products/contract.ts'
import { NewReview, Reply, type ReviewInput } from '#reviews/contract.ts'
import { ShopInput } from '#sellers/contract.ts'
import { mugSaying } from '../listings.ts'
import type { Person, Shop } from '../person.ts'
import { each } from '../scenario.ts'
import { textFieldsOf } from '../text-fields.ts'
import { payloads } from './xss-payloads.ts'

type Field = keyof (Omit<Signup, 'password'> & ShopInput & ListingFields & ReviewInput) | 'reply' | 'search'
/** Longest texts of the fields that people write, in characters. */
const LENGTHS = {
  ...Object.fromEntries(
    [Signup, ShopInput, ListingFields, NewReview, Reply]
      .flatMap(body => Object.entries(textFieldsOf(body)))
      .filter(([field]) => field !== 'password')
      .map(([field, { max }]) => [field, max]),
  ),
  // Room for what makes it one.
  email: 240,
  search: 100,
} as Record<Field, number>
/** Those of a listing. */
const LISTING_FIELDS = Object.keys(textFieldsOf(ListingFields)) as Field[]
/** No invisible characters. */
const NAMES: string[] = ['first_name', 'last_name', 'username']

/** A shorter payload that calls `a()`, which the browser detects too. */
const shortened = (payload: string) =>
  payload.replace(/(?:window\.|self\.)?alert\(1\)|alert`1`|top\[`al`\+`ert`\]\(1\)/g, 'a()')

/** Fits as many payloads as possible into as few texts. */
function fitting(field: string, length: number): { payloads: string[]; texts: string[] } {
  const fit = payloads
    .filter(payload => !(NAMES.includes(field) && /[\u2028\u2029]/.test(payload)))
    .map(payload => (payload.length <= length ? payload : shortened(payload)))
    .filter(payload => payload.length <= length)
  const texts: string[] = []
  for (const payload of new Set(fit)) {
    const last = texts.at(-1)
    if (last !== undefined && last.length + 1 + payload.length <= length)
      texts[texts.length - 1] = `${last} ${payload}`
    else texts.push(payload)
  }
  return { payloads: [...new Set(fit)], texts }
}

/** A page to open, by whom: default a visitor. */
interface PageWithPayloads {
  address: string
  as?: Person
}

interface Planted {
  pages: PageWithPayloads[]
  /** 'name 167': the fields, and their number of payloads. */
  fields: string[]
}

/** The texts of a field in turn, and their number. */
interface Source {
  at(n: number): string
  size: number
}

/**
 * Inserts payloads into every text that pages show, each field to its maximum length.
 * @param most maximum number of users and listings, for a quick run
 */
export async function plant(shop: Shop, max: number): Promise<Planted> {
  const fields: string[] = []
  const texts = {} as Record<Field, Source>
  for (const [field, length] of Object.entries(LENGTHS)) {
    const { payloads, texts: all } = fitting(field, length)
    fields.push(`${field} ${payloads.length}`)
    texts[field as Field] = { at: n => all[n % all.length] ?? '', size: Math.min(all.length, max) }
  }
  const size = (...fields: Field[]) => Math.max(...fields.map(field => texts[field].size))
  const people: Person[] = []
  await each(
    Array(size('first_name', 'last_name', 'username', 'place', 'words', 'email')).keys(),
    4,
    async n => {
      people[n] = await writer(shop, texts, n)
    },
  )
  const one = (n: number) => people[n % people.length] as Person
  const critic = (n: number) => one(n + 1)
  const listings: { id: number; review: number }[] = []
  await each(Array(size(...LISTING_FIELDS, 'review', 'reply')).keys(), 4, async n => {
    const { id } = await shop.list(
      one(n),
      mugSaying(field => texts[field as Field].at(n)),
    )
    const written = { review: texts.review.at(n), stars: 1 }
    const review = (await critic(n).post(`/api/reviews/${id}/create-review`, written)).body.id
    const { status } = await one(n).put(`/api/reviews/${review}/reply`, { reply: texts.reply.at(n) })
    if (status !== 200) throw new Error(`the reply was refused: ${status}`)
    listings[n] = { id, review }
  })
  const shopper = one(0)
  for (const { id } of listings) {
    await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    await shopper.put(`/api/favourites/${id}`)
  }
  await shopper.post('/api/orders/checkout')
  for (const { id } of listings) await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })

  const own = (field: Field, address: (n: number) => string, who = one): PageWithPayloads[] =>
    Array.from({ length: texts[field].size }, (_, n) => ({ address: address(n), as: who(n) }))
  const id = (n: number) => listings[n % listings.length]?.id
  const searches = Array.from({ length: Math.min(texts.search.size, 8) }, (_, n) =>
    encodeURIComponent(texts.search.at(n)),
  )
  return {
    fields,
    pages: [
      { address: '/' },
      ...Array.from({ length: Math.ceil(listings.length / 24) }, (_, n) => ({ address: `/?page=${n + 1}` })),
      ...listings.map(({ id }) => ({ address: `/products/${id}` })),
      ...people.map(({ user }) => ({ address: `/shops/${encodeURIComponent(user.username)}` })),
      ...searches.flatMap(text =>
        [`/search?q=${text}`, `/nowhere/${text}`, `/login?next=${text}`].map(address => ({ address })),
      ),
      ...['/cart', '/cart?checkout=yes', '/orders/view', '/favourites', '/your-listings'].map(address => ({
        address,
        as: shopper,
      })),
      // A short text holds one payload, so names have the most; they are on all pages of their listings.
      ...LISTING_FIELDS.filter(field => field !== 'name').flatMap(field =>
        own(field, n => `/products/${id(n)}/edit`),
      ),
      ...own('email', () => '/settings/security'),
      ...own('words', () => '/settings/shop'),
      ...own('reply', n => `/products/${id(n)}/reply?review=${listings[n % listings.length]?.review}`),
      ...own('review', n => `/products/${id(n)}/edit-review`, critic),
    ],
  }
}

/** A user with payloads in all names and in the shop's profile. */
async function writer(shop: Shop, texts: Record<Field, Source>, n: number): Promise<Person> {
  const person = shop.visitor()
  const { body, status } = await person.post('/api/auth/signup', {
    email: `${texts.email.at(n)}@${n}.example`,
    first_name: texts.first_name.at(n),
    last_name: texts.last_name.at(n + 1),
    // Unique, because there are fewer texts than users.
    username: n < texts.username.size ? texts.username.at(n) : `maker ${n}`,
    password: person.password,
  })
  if (status !== 201) throw new Error(`signup refused: ${JSON.stringify(body)}`)
  person.user = body
  const about = { words: texts.words.at(n), place: texts.place.at(n) }
  const saved = await person.put(`/api/shops/${encodeURIComponent(body.username)}`, about)
  if (saved.status !== 200) throw new Error(`the shop was refused: ${saved.status}`)
  return person
}
