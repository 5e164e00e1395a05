import { randomUUID } from 'node:crypto'
import type { CreationOptions } from '#accounts/passkeys-contract.ts'
import { Authenticator, addPasskey, LOCAL, logInWith } from './authenticator.ts'
import { listingsFile } from './etsy-files.ts'
import { aMug } from './listings.ts'
import { operateCalls } from './operators.ts'
import { newcomer, PASSWORD, type Person, type Shop, type TestResponse } from './person.ts'
import { sendFile, upload } from './uploads.ts'

/** A user with one of everything: profile, listing, cart line, order, review, address. */
export interface World {
  owner: Person
  listing: number
  line: number
  order: number
  review: number
  /** The owner's session id. */
  session: number
  passkey: number
  /** A postage profile of the owner that is not the default one. */
  profile: number
  /** A section of the owner with the listing. */
  section: number
  address: number
  /** A draft of the owner with a photo. */
  draft: number
  /** The photo of the draft. */
  image: number
  /** A listings file of the owner that waits for their Yes. */
  pending: number
  /** A parcel or payment of the order. */
  event?: number
  /** Somebody has asked the owner about the listing. */
  conversation: number
}

/** A postage profile. */
export const letterPost = {
  name: 'Letter post',
  from_country: 'PT',
  rates: [{ destination: '*', first: 4.5, further: 1, days_min: 2, days_max: 6 }],
  pickup_places: [{ place: 'Market hall', hours: 'Saturdays' }],
}

/** Signs up an owner, and adds one of everything that calls name by id. */
export async function openWorld(shop: Shop, name = 'owner'): Promise<World> {
  const owner = await shop.signUp(name)
  await owner.put(shopPath(owner), { words: 'Throws mugs.', place: 'By the river' })
  const section = (await owner.post('/api/sections/', { name: 'Mugs' })).body.id
  const { id: listing } = await shop.list(owner, { stock: 100, section_id: section })
  const add = () => owner.post(`/api/cart_items/add/${listing}`, { quantity: 2 })
  await add()
  const order = (await owner.post('/api/orders/checkout')).body.id
  const line = (await add()).body.id
  await owner.put(`/api/favourites/${listing}`)
  const words = { review: 'Keeps the tea warm.', stars: 5 }
  const review = (await owner.post(`/api/reviews/${listing}/create-review`, words)).body.id
  await owner.put(`/api/reviews/${review}/reply`, { reply: 'And the coffee.' })
  const session = (await owner.get('/api/auth/sessions')).body.sessions[0].id
  const passkey = (await addPasskey(owner)).body.id
  const profile = (await owner.post('/api/postage/', letterPost)).body.id
  const address = (await owner.post('/api/addresses/', anAddress)).body.id
  const draft = (await owner.post('/api/drafts/', { fields: unfinished })).body.id
  const image = (await upload(owner, `/api/drafts/${draft}/images`, {})).body.id
  const { id: pending } = (await sendListingsFile(owner)).body
  const asks = await shop.signUp('asks')
  const question = { text: 'Is it blue?', listing }
  const { conversation } = (await asks.post(messagesTo(owner), question)).body
  return {
    ...{ owner, listing, line, order, review, session, passkey, profile, section, address, draft, image },
    pending,
    conversation,
  }
}

/** The owner's data as they see it: equal before and after means unchanged. */
export async function stateOf({ owner, listing }: World): Promise<unknown> {
  const reviews = (await owner.get(`/api/reviews/${listing}/reviews`)).body as { user_id: number }[]
  const paths = [
    '/api/auth/',
    '/api/auth/passkeys',
    `/api/cart_items/${owner.user.id}`,
    '/api/checkout/',
    '/api/orders/',
    '/api/orders/all',
    '/api/orders/order-items/2',
    '/api/sales/sums',
    '/api/sales/payment-words',
    '/api/favourites/ids',
    '/api/addresses/',
    '/api/letters/',
    '/api/postage/',
    '/api/sections/',
    '/api/drafts/',
    `/api/products/${listing}/details`,
    '/api/holiday/',
    shopPath(owner),
  ]
  const responses = await Promise.all([...paths, '/api/products/current'].map(path => owner.get(path)))
  // Reviews by others are not the owner's.
  for (const product of [responses.at(-2)?.body, ...(responses.at(-1)?.body.products ?? [])])
    Object.assign(product, { rating: 0, review_count: 0 })
  return [...responses.map(({ body }) => body), reviews.filter(review => review.user_id === owner.user.id)]
}

type Headers = Record<string, string>
const messagesTo = ({ user }: Person) => `/api/messages/to/${encodeURIComponent(user.username)}`
const shopPath = ({ user }: Person) => `/api/shops/${encodeURIComponent(user.username)}`
const aPayment = { amount: 3, day: '2026-01-02' }
const wrongLink = ({ user }: Person) => `/api/letters/off/${user.id}.review.${'x'.repeat(43)}`
const words = { review: 'Chipped after a week.', stars: 2 }
/** A report of something public. */
export const aReport = { grounds: 'copy', words: 'This photo is mine.' }
/** How somebody is reached, and what they say of returns and so on. */
export const aShopPage = {
  contact_email: 'post@pottery.example',
  contact_phone: '+351 21 000 00 00',
  returns: 'Within 14 days.\nPlease write first.',
  custom_orders: '',
  care: 'By hand.',
}

/** Who a seller is, whose business it is. */
export const sellerDetails = {
  is_trader: true,
  name: 'Ana Lund, Lund Pottery',
  address: 'Long Street 5\n12345 Lakeside\nGermany',
  email: 'ana@pottery.example',
  phone: '+49 30 1234',
  register: 'Lakeside HRB 42',
  vat_id: 'DE123456789',
  responsible_person: '',
  outside_eu: false,
  safety: '',
}
/** A valid address. */
export const anAddress = {
  name: 'Ana Lund',
  line1: 'Long Street 5',
  line2: '',
  city: 'Lakeside',
  region: '',
  postal_code: '12345',
  country: 'DE',
}
/** The fields of a draft that cannot be published yet. */
export const unfinished = { name: 'Half a mug', price: '12,' }

/** Sends a file of one listing. */
function sendListingsFile(person: Person, headers: Headers = {}): Promise<TestResponse> {
  const file = new File([listingsFile], 'EtsyListingsDownload.csv', { type: 'text/csv' })
  return sendFile(person, '/api/import/', 'file', file, headers)
}

/** The token of no link. */
const UNSENT = 'x'.repeat(43)
/** Options of no shop. */
const unasked: CreationOptions = {
  challenge: '',
  rp: { id: 'localhost', name: '' },
  user: { id: 'bm9ib2R5', name: '', displayName: '' },
  pubKeyCredParams: [],
  timeout: 0,
  attestation: 'none',
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
}

/** A draft that can be published. */
export async function finishedDraft({ owner }: World): Promise<number> {
  const { name, category, description, price, stock } = aMug
  const fields = { name, category, description, price: String(price), stock: String(stock) }
  const { id } = (await owner.post('/api/drafts/', { fields })).body
  await upload(owner, `/api/drafts/${id}/images`, {})
  return id
}

/** A bulk edit, and the listing as its seller saw it. */
const more = { change: 'stock_add', amount: 1 }
const seen = { version: 1, price: aMug.price, stock: aMug.stock }

/** Whether a call changes nothing. */
export const isRead = (key: string): boolean => key.startsWith('GET ') && !key.endsWith('/logout')

/** Every call of the API with the owner's ids. */
export const everyCall: Record<
  string,
  (person: Person, world: World, headers?: Headers) => Promise<TestResponse>
> = {
  'GET /api/auth/': (person, _, headers) => person.get('/api/auth/', headers),
  'GET /api/auth/session': (person, _, headers) => person.get('/api/auth/session', headers),
  'POST /api/auth/login': (person, { owner }, headers) =>
    person.post('/api/auth/login', { email: owner.user.email, password: 'not-it' }, headers),
  'GET /api/auth/signup': (person, _, headers) => person.get('/api/auth/signup', headers),
  'POST /api/auth/signup': (person, _, headers) =>
    person.post('/api/auth/signup', { ...newcomer('new'), password: PASSWORD }, headers),
  'GET /api/auth/logout': (person, _, headers) => person.get('/api/auth/logout', headers),
  'GET /api/auth/sessions': (person, _, headers) => person.get('/api/auth/sessions', headers),
  'DELETE /api/auth/sessions/:id': (person, { session }, headers) =>
    person.delete(`/api/auth/sessions/${session}`, undefined, headers),
  'DELETE /api/auth/sessions': (person, _, headers) =>
    person.delete('/api/auth/sessions', undefined, headers),
  'POST /api/auth/password': (person, _, headers) =>
    person.post(
      '/api/auth/password',
      { current_password: person.password, new_password: person.password },
      headers,
    ),

  'GET /api/auth/email': (person, _, headers) => person.get('/api/auth/email', headers),
  'POST /api/auth/email': (person, _, headers) =>
    person.post(
      '/api/auth/email',
      { email: newcomer('moved').email, current_password: person.password },
      headers,
    ),
  'DELETE /api/auth/email/change': (person, _, headers) =>
    person.delete('/api/auth/email/change', undefined, headers),
  'POST /api/auth/confirmations': (person, _, headers) =>
    person.post('/api/auth/confirmations', undefined, headers),
  // With a token of no letter.
  'POST /api/auth/confirm-email': (person, _, headers) =>
    person.post('/api/auth/confirm-email', { token: 'A'.repeat(43) }, headers),

  'POST /api/auth/forgotten-password': (person, { owner }, headers) =>
    person.post('/api/auth/forgotten-password', { email: owner.user.email }, headers),
  // With a token that was never sent.
  'POST /api/auth/reset-password/check': (person, _, headers) =>
    person.post('/api/auth/reset-password/check', { token: UNSENT }, headers),
  'POST /api/auth/reset-password': (person, _, headers) =>
    person.post('/api/auth/reset-password', { token: UNSENT, new_password: PASSWORD }, headers),

  'POST /api/auth/login/passkey/challenge': (person, _, headers) =>
    person.post('/api/auth/login/passkey/challenge', undefined, { ...headers, ...LOCAL }),
  // With an unknown passkey.
  'POST /api/auth/login/passkey': (person, _, headers) => {
    const stranger = new Authenticator()
    stranger.create(unasked)
    return logInWith(stranger, person, {}, headers)
  },
  'GET /api/auth/passkeys': (person, _, headers) => person.get('/api/auth/passkeys', headers),
  'POST /api/auth/passkeys/confirmation': (person, _, headers) =>
    person.post('/api/auth/passkeys/confirmation', undefined, { ...headers, ...LOCAL }),
  'POST /api/auth/passkeys/challenge': (person, _, headers) =>
    person.post(
      '/api/auth/passkeys/challenge',
      { current_password: person.password },
      { ...headers, ...LOCAL },
    ),
  'POST /api/auth/passkeys': (person, _, headers) => addPasskey(person, undefined, 'Laptop', headers),
  'PUT /api/auth/passkeys/:id': (person, { passkey }, headers) =>
    person.put(`/api/auth/passkeys/${passkey}`, { name: 'Changed' }, headers),
  'POST /api/auth/passkeys/:id/remove': (person, { passkey }, headers) =>
    person.post(
      `/api/auth/passkeys/${passkey}/remove`,
      { current_password: person.password },
      { ...headers, ...LOCAL },
    ),

  'GET /api/products/': (person, _, headers) => person.get('/api/products/', headers),
  'GET /api/products/current': (person, _, headers) => person.get('/api/products/current', headers),
  'GET /api/products/lacking-safety': (person, _, headers) =>
    person.get('/api/products/lacking-safety', headers),
  'GET /api/products/shelf': (person, _, headers) => person.get('/api/products/shelf?name=mug', headers),
  'POST /api/products/bulk/preview': (person, { listing }, headers) =>
    person.post('/api/products/bulk/preview', { ...more, ids: [listing] }, headers),
  'POST /api/products/bulk': (person, { listing }, headers) =>
    person.post('/api/products/bulk', { ...more, rows: [{ ...seen, id: listing }] }, headers),
  'GET /api/products/:id': (person, { listing }, headers) => person.get(`/api/products/${listing}`, headers),
  'GET /api/products/counts': (person, _, headers) => person.get('/api/products/counts', headers),
  'GET /api/products/suggestions': (person, _, headers) =>
    person.get('/api/products/suggestions?q=mug', headers),
  'GET /api/products/:id/similar': (person, { listing }, headers) =>
    person.get(`/api/products/${listing}/similar`, headers),
  'POST /api/products/': (person, _, headers) => person.post('/api/products/', aMug, headers),
  'PUT /api/products/:id': (person, { listing }, headers) =>
    person.put(`/api/products/${listing}`, { ...aMug, id: listing, name: 'Changed' }, headers),
  'POST /api/products/:id/retire': (person, { listing }, headers) =>
    person.post(`/api/products/${listing}/retire`, undefined, headers),
  'POST /api/products/:id/restore': (person, { listing }, headers) =>
    person.post(`/api/products/${listing}/restore`, undefined, headers),
  'DELETE /api/products/:id': (person, { listing }, headers) =>
    person.delete(`/api/products/${listing}`, undefined, headers),
  'POST /api/products/:id/images': (person, { listing }, headers) =>
    upload(person, `/api/products/${listing}/images`, headers ?? {}),
  'PUT /api/products/:id/images': (person, { listing }, headers) =>
    person.put(`/api/products/${listing}/images`, { photos: [] }, headers),

  'GET /api/products/:id/details': (person, { listing }, headers) =>
    person.get(`/api/products/${listing}/details`, headers),
  'GET /api/products/:id/postage': (person, { listing }, headers) =>
    person.get(`/api/products/${listing}/postage`, headers),

  'GET /api/postage/': (person, _, headers) => person.get('/api/postage/', headers),
  'POST /api/postage/': (person, _, headers) => person.post('/api/postage/', letterPost, headers),
  'PUT /api/postage/:profileId': (person, { profile }, headers) =>
    person.put(`/api/postage/${profile}`, { ...letterPost, name: 'Changed' }, headers),
  'PUT /api/postage/:profileId/default': (person, { profile }, headers) =>
    person.put(`/api/postage/${profile}/default`, undefined, headers),
  'DELETE /api/postage/:profileId': (person, { profile }, headers) =>
    person.delete(`/api/postage/${profile}`, undefined, headers),
  'GET /api/sections/': (person, _, headers) => person.get('/api/sections/', headers),
  'POST /api/sections/': (person, _, headers) => person.post('/api/sections/', { name: 'Bowls' }, headers),
  'PUT /api/sections/:sectionId': (person, { section }, headers) =>
    person.put(`/api/sections/${section}`, { name: 'Changed' }, headers),
  'PUT /api/sections/:sectionId/position': (person, { section }, headers) =>
    person.put(`/api/sections/${section}/position`, { position: 1 }, headers),
  'DELETE /api/sections/:sectionId': (person, { section }, headers) =>
    person.delete(`/api/sections/${section}`, undefined, headers),
  'GET /api/drafts/': (person, _, headers) => person.get('/api/drafts/', headers),
  'POST /api/drafts/': (person, _, headers) => person.post('/api/drafts/', { fields: unfinished }, headers),
  'GET /api/drafts/:draftId': (person, { draft }, headers) => person.get(`/api/drafts/${draft}`, headers),
  'PUT /api/drafts/:draftId': (person, { draft }, headers) =>
    person.put(`/api/drafts/${draft}`, { fields: { ...unfinished, stock: '2' } }, headers),
  'GET /api/drafts/:draftId/listing': (person, { draft }, headers) =>
    person.get(`/api/drafts/${draft}/listing`, headers),
  'POST /api/drafts/:draftId/images': (person, { draft }, headers) =>
    upload(person, `/api/drafts/${draft}/images`, headers ?? {}),
  'PUT /api/drafts/:draftId/images': (person, { draft, image }, headers) =>
    person.put(`/api/drafts/${draft}/images`, { photos: [{ id: image, alt: 'A mug' }] }, headers),
  'POST /api/drafts/:draftId/publish': (person, { draft }, headers) =>
    person.post(`/api/drafts/${draft}/publish`, undefined, headers),
  'POST /api/drafts/publish': (person, { draft }, headers) =>
    person.post('/api/drafts/publish', { ids: [draft] }, headers),
  'DELETE /api/drafts/:draftId': (person, { draft }, headers) =>
    person.delete(`/api/drafts/${draft}`, undefined, headers),
  'POST /api/products/:id/draft': (person, { listing }, headers) =>
    person.post(`/api/products/${listing}/draft`, undefined, headers),
  'GET /api/shops/:username/sections': (person, { owner }, headers) =>
    person.get(`${shopPath(owner)}/sections`, headers),

  'GET /api/country': (person, _, headers) => person.get('/api/country', headers),
  'PUT /api/country': (person, _, headers) => person.put('/api/country', { country: 'PT' }, headers),

  'GET /api/holiday/': (person, _, headers) => person.get('/api/holiday/', headers),
  'PUT /api/holiday/': (person, _, headers) =>
    person.put('/api/holiday/', { from: '2999-01-01', until: '2999-01-09', note: 'At sea' }, headers),
  'DELETE /api/holiday/': (person, _, headers) => person.delete('/api/holiday/', undefined, headers),

  'GET /api/makers': (person, _, headers) => person.get('/api/makers', headers),
  'GET /api/shops/:username': (person, { owner }, headers) => person.get(shopPath(owner), headers),
  'PUT /api/shops/:username': (person, { owner }, headers) =>
    person.put(shopPath(owner), { words: 'Changed', place: 'Elsewhere' }, headers),
  'POST /api/shops/:username/picture': (person, { owner }, headers) =>
    upload(person, `${shopPath(owner)}/picture`, headers ?? {}),
  'DELETE /api/shops/:username/picture': (person, { owner }, headers) =>
    person.delete(`${shopPath(owner)}/picture`, undefined, headers),

  'GET /api/shops/:username/page': (person, { owner }, headers) =>
    person.get(`${shopPath(owner)}/page`, headers),
  'PUT /api/shops/:username/page': (person, { owner }, headers) =>
    person.put(`${shopPath(owner)}/page`, aShopPage, headers),
  'POST /api/shops/:username/banner': (person, { owner }, headers) =>
    upload(person, `${shopPath(owner)}/banner`, headers ?? {}),
  'DELETE /api/shops/:username/banner': (person, { owner }, headers) =>
    person.delete(`${shopPath(owner)}/banner`, undefined, headers),

  'GET /api/favourites/': (person, _, headers) => person.get('/api/favourites/', headers),
  'GET /api/favourites/ids': (person, _, headers) => person.get('/api/favourites/ids', headers),
  'PUT /api/favourites/:productId': (person, { listing }, headers) =>
    person.put(`/api/favourites/${listing}`, undefined, headers),
  'DELETE /api/favourites/:productId': (person, { listing }, headers) =>
    person.delete(`/api/favourites/${listing}`, undefined, headers),

  'GET /api/import/:importId': (person, { pending }, headers) =>
    person.get(`/api/import/${pending}`, headers),
  'POST /api/import/:importId': (person, { pending }, headers) =>
    person.post(`/api/import/${pending}`, undefined, headers),
  // Last: it replaces the file.
  'POST /api/import/': (person, _, headers) => sendListingsFile(person, headers),
  'GET /api/import/photos': (person, _, headers) => person.get('/api/import/photos', headers),
  'POST /api/import/photos/retry': (person, _, headers) =>
    person.post('/api/import/photos/retry', undefined, headers),

  'GET /api/addresses/': (person, _, headers) => person.get('/api/addresses/', headers),
  'POST /api/addresses/': (person, _, headers) => person.post('/api/addresses/', anAddress, headers),
  'PUT /api/addresses/:addressId': (person, { address }, headers) =>
    person.put(`/api/addresses/${address}`, { ...anAddress, city: 'Changed' }, headers),
  'DELETE /api/addresses/:addressId': (person, { address }, headers) =>
    person.delete(`/api/addresses/${address}`, undefined, headers),

  'GET /api/cart_items/:id': (person, { owner }, headers) =>
    person.get(`/api/cart_items/${owner.user.id}`, headers),
  'POST /api/cart_items/add/:productId': (person, { listing }, headers) =>
    person.post(`/api/cart_items/add/${listing}`, { quantity: 1 }, headers),
  'PUT /api/cart_items/:id': (person, { line }, headers) =>
    person.put(`/api/cart_items/${line}`, { quantity: 9 }, headers),
  'DELETE /api/cart_items/:id': (person, { line }, headers) =>
    person.delete(`/api/cart_items/${line}`, undefined, headers),

  'GET /api/checkout/': (person, _, headers) => person.get('/api/checkout/', headers),
  'PUT /api/checkout/address': (person, _, headers) =>
    person.put('/api/checkout/address', { address_id: null }, headers),
  'PUT /api/checkout/sellers/:sellerId': (person, { owner }, headers) =>
    person.put(`/api/checkout/sellers/${owner.user.id}`, { pickup_id: null, note: 'A gift.' }, headers),

  'GET /api/reviews/:productId/reviews': (person, { listing }, headers) =>
    person.get(`/api/reviews/${listing}/reviews`, headers),
  'POST /api/reviews/:productId/create-review': (person, { listing }, headers) =>
    person.post(`/api/reviews/${listing}/create-review`, words, headers),
  'POST /api/reviews/:id/edit-review/': (person, { review }, headers) =>
    person.post(`/api/reviews/${review}/edit-review`, words, headers),
  'DELETE /api/reviews/:id/delete-review': (person, { review }, headers) =>
    person.delete(`/api/reviews/${review}/delete-review`, undefined, headers),

  'GET /api/reviews/:productId/histogram': (person, { listing }, headers) =>
    person.get(`/api/reviews/${listing}/histogram`, headers),
  'GET /api/reviews/:productId/own': (person, { listing }, headers) =>
    person.get(`/api/reviews/${listing}/own`, headers),
  'PUT /api/reviews/:id/reply': (person, { review }, headers) =>
    person.put(`/api/reviews/${review}/reply`, { reply: 'Thank you.' }, headers),
  'DELETE /api/reviews/:id/reply': (person, { review }, headers) =>
    person.delete(`/api/reviews/${review}/reply`, undefined, headers),

  'GET /api/orders/': (person, _, headers) => person.get('/api/orders/', headers),
  'GET /api/orders/order-items/:any': (person, _, headers) =>
    person.get('/api/orders/order-items/2', headers),
  'POST /api/orders/checkout': (person, _, headers) =>
    person.post('/api/orders/checkout', undefined, headers),
  'DELETE /api/orders/:orderId/delete-order': (person, { order }, headers) =>
    person.delete(`/api/orders/${order}/delete-order`, undefined, headers),
  'GET /api/orders/all': (person, _, headers) => person.get('/api/orders/all', headers),
  'GET /api/orders/:orderId/detail': (person, { order }, headers) =>
    person.get(`/api/orders/${order}/detail`, headers),
  'POST /api/orders/:orderId/received': (person, { order }, headers) =>
    person.post(`/api/orders/${order}/received`, { parcel: 1 }, headers),
  'POST /api/orders/:orderId/again': (person, { order }, headers) =>
    person.post(`/api/orders/${order}/again`, undefined, headers),
  'GET /api/orders/:orderId/messages': (person, { order }, headers) =>
    person.get(`/api/orders/${order}/messages`, headers),
  'POST /api/orders/:orderId/messages': (person, { order }, headers) =>
    person.post(`/api/orders/${order}/messages`, { text: 'When will it be ready?' }, headers),
  'POST /api/orders/:orderId/messages/read': (person, { order }, headers) =>
    person.post(`/api/orders/${order}/messages/read`, { up_to: 1 }, headers),

  'GET /api/messages/': (person, _, headers) => person.get('/api/messages/', headers),
  'GET /api/messages/to/:username': (person, { owner }, headers) => person.get(messagesTo(owner), headers),
  'POST /api/messages/to/:username': (person, { owner }, headers) =>
    person.post(messagesTo(owner), { text: 'Could I have two?' }, headers),
  'GET /api/messages/:conversationId': (person, { conversation }, headers) =>
    person.get(`/api/messages/${conversation}`, headers),
  'POST /api/messages/:conversationId': (person, { conversation }, headers) =>
    person.post(`/api/messages/${conversation}`, { text: 'It is.' }, headers),
  'POST /api/messages/:conversationId/read': (person, { conversation }, headers) =>
    person.post(`/api/messages/${conversation}/read`, { up_to: 1 }, headers),
  'PUT /api/messages/:conversationId/stop': (person, { conversation }, headers) =>
    person.put(`/api/messages/${conversation}/stop`, undefined, headers),
  'DELETE /api/messages/:conversationId/stop': (person, { conversation }, headers) =>
    person.delete(`/api/messages/${conversation}/stop`, undefined, headers),

  'GET /api/sales/': (person, _, headers) => person.get('/api/sales/', headers),
  'GET /api/sales/sums': (person, _, headers) => person.get('/api/sales/sums', headers),
  'GET /api/sales/payment-words': (person, _, headers) => person.get('/api/sales/payment-words', headers),
  'PUT /api/sales/payment-words': (person, _, headers) =>
    person.put('/api/sales/payment-words', { words: 'In cash.' }, headers),
  'GET /api/sales/:orderId': (person, { order }, headers) => person.get(`/api/sales/${order}`, headers),
  'POST /api/sales/:orderId/ready': (person, { order }, headers) =>
    person.post(`/api/sales/${order}/ready`, undefined, headers),
  'POST /api/sales/:orderId/collected': (person, { order }, headers) =>
    person.post(`/api/sales/${order}/collected`, { code: '0000' }, headers),
  'POST /api/sales/:orderId/parcels': (person, { order, listing }, headers) =>
    person.post(`/api/sales/${order}/parcels`, { lines: [{ id: listing, quantity: 1 }] }, headers),
  'POST /api/sales/:orderId/cancel': (person, { order, listing }, headers) =>
    person.post(
      `/api/sales/${order}/cancel`,
      { lines: [{ id: listing, quantity: 1 }], reason: 'It broke.' },
      headers,
    ),
  'POST /api/sales/:orderId/refunds': (person, { order }, headers) =>
    person.post(`/api/sales/${order}/refunds`, aPayment, headers),
  'POST /api/sales/:orderId/payments': (person, { order }, headers) =>
    person.post(`/api/sales/${order}/payments`, aPayment, headers),
  'POST /api/sales/:orderId/parcels/:eventId/tracking': (person, { order }, headers) =>
    person.post(`/api/sales/${order}/parcels/1/tracking`, { tracking: 'RR123' }, headers),
  'POST /api/sales/:orderId/events/:eventId/undo': (person, { order }, headers) =>
    person.post(`/api/sales/${order}/events/1/undo`, undefined, headers),
  'POST /api/sales/batch': (person, { order }, headers) =>
    person.post('/api/sales/batch', { orders: [order], action: 'sent' }, headers),

  'GET /api/notifications/': (person, _, headers) => person.get('/api/notifications/', headers),
  'POST /api/notifications/seen': (person, _, headers) =>
    person.post('/api/notifications/seen', { newest: randomUUID() }, headers),
  'GET /api/letters/': (person, _, headers) => person.get('/api/letters/', headers),
  'PUT /api/letters/': (person, _, headers) => person.put('/api/letters/', { off: ['review'] }, headers),
  // With a wrong signature.
  'GET /api/letters/off/:token': (person, { owner }, headers) => person.get(wrongLink(owner), headers),
  'POST /api/letters/off/:token': (person, { owner }, headers) =>
    person.post(wrongLink(owner), undefined, headers),

  'POST /api/products/:id/reports': (person, { listing }, headers) =>
    person.post(`/api/products/${listing}/reports`, aReport, headers),
  'POST /api/reviews/:id/reports': (person, { review }, headers) =>
    person.post(`/api/reviews/${review}/reports`, aReport, headers),
  'POST /api/reviews/:id/reply/reports': (person, { review }, headers) =>
    person.post(`/api/reviews/${review}/reply/reports`, aReport, headers),
  'POST /api/shops/:username/reports': (person, { owner }, headers) =>
    person.post(`${shopPath(owner)}/reports`, aReport, headers),
  'GET /api/pages/': (person, _, headers) => person.get('/api/pages/', headers),
  'GET /api/pages/:slug': (person, _, headers) => person.get('/api/pages/terms', headers),
  'GET /api/account/agreements': (person, _, headers) => person.get('/api/account/agreements', headers),
  'GET /api/notices/': (person, _, headers) => person.get('/api/notices/', headers),
  // Nothing is decided about anybody here.
  'POST /api/notices/:decisionId/objection': (person, { listing }, headers) =>
    person.post(`/api/notices/${listing}/objection`, { words: 'It is mine.' }, headers),
  'GET /api/selling/': (person, _, headers) => person.get('/api/selling/', headers),
  // Everybody may sell here, and there is no invitation.
  'POST /api/selling/application': (person, _, headers) =>
    person.post('/api/selling/application', { words: 'I turn bowls.' }, headers),
  'POST /api/selling/invitation': (person, _, headers) =>
    person.post('/api/selling/invitation', { code: 'x'.repeat(22) }, headers),
  'GET /api/selling/details': (person, _, headers) => person.get('/api/selling/details', headers),
  'PUT /api/selling/details': (person, _, headers) =>
    person.put('/api/selling/details', sellerDetails, headers),
  'GET /api/shops/:username/seller': (person, { owner }, headers) =>
    person.get(`${shopPath(owner)}/seller`, headers),
  'POST /api/setup': (person, _, headers) => person.post('/api/setup', { token: 'x'.repeat(43) }, headers),
  ...operateCalls,

  'PUT /api/account/names': (person, _, headers) => {
    const { username, first_name, last_name } = newcomer('renamed')
    return person.put('/api/account/names', { username, first_name, last_name }, headers)
  },
  'POST /api/account/data': (person, _, headers) => person.post('/api/account/data', undefined, headers),
  'GET /api/account/data': (person, _, headers) => person.get('/api/account/data', headers),
  'GET /api/account/deletion': (person, _, headers) => person.get('/api/account/deletion', headers),
  'POST /api/account/deletion': (person, _, headers) =>
    person.post('/api/account/deletion', { current_password: person.password, reviews: 'remove' }, headers),
}
