import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepLimits } from '#platform/http/rate-limit.ts'
import { Authenticator, addPasskey } from '../support/authenticator.ts'
import { times } from '../support/expect.ts'
import { pngOf } from '../support/sample-pictures.ts'
import { aMug, openShop, type Person, type TestShop } from '../support/shop.ts'

/**
 * Every column of the database: what it says of a person, and what deleting the account does with it. A new column belongs on
 * one of these lists; docs/security.md says the same in words.
 *
 * - `gone`: the row is deleted with the account.
 * - `emptied`: the row stays without it.
 * - `kept`: it stays, and belongs to the row of a deleted account; the comment says why.
 */
type Fate = 'gone' | 'emptied' | 'kept'
const personal: Record<string, Record<string, Fate>> = {
  users: {
    id: 'gone',
    username: 'gone',
    username_skeleton: 'gone',
    email: 'gone',
    first_name: 'gone',
    last_name: 'gone',
    password_hash: 'gone',
    created_at: 'gone',
  },
  // For a year the hashes alone keep others from the username.
  former_usernames: {
    user_id: 'emptied',
    username: 'emptied',
    name_hash: 'kept',
    skeleton_hash: 'kept',
    left_at: 'kept',
    held_until: 'kept',
  },
  sessions: {
    id: 'gone',
    token_hash: 'gone',
    user_id: 'gone',
    device: 'gone',
    created_at: 'gone',
    used_at: 'gone',
    expires_at: 'gone',
  },
  // For a day, so that an open form can say that the session has ended. Names nobody.
  ended_sessions: { token_hash: 'kept', ended_at: 'kept' },
  device_cookies: { token_hash: 'gone', user_id: 'gone', expires_at: 'gone' },
  passkeys: {
    id: 'gone',
    user_id: 'gone',
    credential_id: 'gone',
    public_key: 'gone',
    user_handle: 'gone',
    counter: 'gone',
    transports: 'gone',
    backed_up: 'gone',
    name: 'gone',
    created_at: 'gone',
    used_at: 'gone',
  },
  passkey_challenges: {
    challenge: 'gone',
    purpose: 'gone',
    user_id: 'gone',
    user_handle: 'gone',
    expires_at: 'gone',
  },
  // Letters are deleted with the account; an error may quote the address.
  outbox: { recipient: 'gone', kind: 'gone', subject: 'gone', last_error: 'gone' },
  // E-mail addresses, networks and user ids; swept after two hours, those of downloads after two days.
  rate_limits: { subject: 'kept', window_start: 'kept', count: 'kept' },
  shops: { user_id: 'gone', words: 'gone', place: 'gone', image_id: 'gone' },
  // Orders have the name and price of a listing, so these stay.
  products: {
    id: 'kept',
    seller_id: 'emptied',
    name: 'kept',
    category: 'kept',
    description: 'emptied',
    price_cents: 'kept',
    created_at: 'kept',
    changed_at: 'kept',
    deleted_at: 'kept',
    added_as: 'emptied',
    version: 'kept',
  },
  images: {
    id: 'gone',
    product_id: 'gone',
    owner_id: 'gone',
    folder: 'gone',
    kind: 'gone',
    width: 'gone',
    height: 'gone',
    widths: 'gone',
    created_at: 'gone',
    colour: 'gone',
    bytes: 'gone',
  },
  // Made from the listings, and gone with them.
  catalogue: { product_id: 'gone', seller_id: 'gone', stems: 'gone' },
  vocabulary: { word: 'gone', stem: 'gone', said_by: 'gone' },
  favourites: { user_id: 'gone', product_id: 'gone', created_at: 'gone' },
  carts: { user_id: 'gone' },
  cart_lines: {
    id: 'gone',
    user_id: 'gone',
    product_id: 'gone',
    quantity: 'gone',
    created_at: 'gone',
    added_price_cents: 'gone',
  },
  // Words and stars stay by the person's choice; else the row is gone.
  reviews: {
    id: 'kept',
    product_id: 'kept',
    user_id: 'emptied',
    review: 'kept',
    stars: 'kept',
    created_at: 'kept',
    updated_at: 'kept',
    reply: 'emptied',
    replied_at: 'emptied',
  },
  // The books of the shop and of the others: who ordered is emptied, what was ordered stays.
  orders: {
    id: 'kept',
    user_id: 'emptied',
    status: 'kept',
    total_cents: 'kept',
    idempotency_key: 'emptied',
    created_at: 'kept',
    cancelled_at: 'kept',
  },
  order_lines: { order_id: 'kept', product_id: 'kept', name: 'kept', price_cents: 'kept', quantity: 'kept' },
  // Append-only. `sent_as` is a random key of one form.
  stock_ledger: {
    id: 'kept',
    product_id: 'kept',
    units: 'kept',
    reason: 'kept',
    order_id: 'kept',
    created_at: 'kept',
    sent_as: 'kept',
  },
}

/** Says nothing of a person: sums, what is derived, and the shop itself. */
const impersonal: Record<string, string[]> = {
  users: ['erased_at'],
  former_usernames: ['id'],
  catalogue: ['category', 'price_cents', 'created_at', 'in_stock', 'rating', 'reviews'],
  vocabulary: ['mends'],
  outbox: ['id', 'created_at', 'due_at', 'tries', 'sent_at', 'failed_at'],
  ratings: ['product_id', 'reviews', 'stars'],
  stock: ['product_id', 'quantity'],
  installation: ['id'],
  migrations: ['name', 'hash', 'applied_at'],
}

let shop: TestShop
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop({ signups: true })
  // Ids that no count or number of a row is equal to.
  await shop.rows(`select setval('ids', 700000)`)
  ;[ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
})
afterAll(() => shop.close())

/** Every column of every table. */
const columns = async (): Promise<string[]> =>
  (
    await shop.rows(`
      select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`)
  )
    .map(({ name }) => name)
    .sort()

test('every column is on one list: it says something of a person, or it does not', async () => {
  const ofPeople = Object.entries(personal).flatMap(([table, each]) =>
    Object.keys(each).map(column => `${table}.${column}`),
  )
  const others = Object.entries(impersonal).flatMap(([table, each]) =>
    each.map(column => `${table}.${column}`),
  )
  expect([...ofPeople, ...others].sort()).toEqual(await columns())
})

/** Where a personal column is in the data that people download; `[]` stands for every entry. */
const exported: Record<string, string> = {
  'users.id': 'account.id',
  'users.username': 'account.username',
  'users.email': 'account.email',
  'users.first_name': 'account.first_name',
  'users.last_name': 'account.last_name',
  'users.created_at': 'account.created_at',
  'former_usernames.username': 'former_usernames[].username',
  'former_usernames.left_at': 'former_usernames[].left_at',
  'former_usernames.held_until': 'former_usernames[].held_until',
  'sessions.id': 'sessions[].id',
  'sessions.device': 'sessions[].device',
  'sessions.created_at': 'sessions[].created_at',
  'sessions.used_at': 'sessions[].used_at',
  'sessions.expires_at': 'sessions[].expires_at',
  'device_cookies.expires_at': 'known_browsers[].expires_at',
  'passkeys.id': 'passkeys[].id',
  'passkeys.name': 'passkeys[].name',
  'passkeys.backed_up': 'passkeys[].backed_up',
  'passkeys.created_at': 'passkeys[].created_at',
  'passkeys.used_at': 'passkeys[].used_at',
  'shops.words': 'shop.words',
  'shops.place': 'shop.place',
  'shops.image_id': 'shop.image_id',
  'products.id': 'listings[].id',
  'products.name': 'listings[].name',
  'products.category': 'listings[].category',
  'products.description': 'listings[].description',
  'products.price_cents': 'listings[].price',
  'products.created_at': 'listings[].created_at',
  'products.changed_at': 'listings[].changed_at',
  'products.deleted_at': 'listings[].deleted_at',
  'products.added_as': 'listings[].idempotency_key',
  'products.version': 'listings[].version',
  'images.id': 'photos[].id',
  'images.product_id': 'photos[].product_id',
  'images.kind': 'photos[].kind',
  'images.created_at': 'photos[].created_at',
  'favourites.product_id': 'saved[].product_id',
  'favourites.created_at': 'saved[].created_at',
  'cart_lines.id': 'cart[].id',
  'cart_lines.product_id': 'cart[].product_id',
  'cart_lines.quantity': 'cart[].quantity',
  'cart_lines.created_at': 'cart[].created_at',
  'cart_lines.added_price_cents': 'cart[].added_price',
  'reviews.id': 'reviews[].id',
  'reviews.product_id': 'reviews[].product_id',
  'reviews.review': 'reviews[].review',
  'reviews.stars': 'reviews[].stars',
  'reviews.created_at': 'reviews[].created_at',
  'reviews.updated_at': 'reviews[].updated_at',
  'reviews.reply': 'replies[].reply',
  'reviews.replied_at': 'replies[].replied_at',
  'orders.id': 'orders[].id',
  'orders.status': 'orders[].status',
  'orders.total_cents': 'orders[].total',
  'orders.idempotency_key': 'orders[].idempotency_key',
  'orders.created_at': 'orders[].created_at',
  'orders.cancelled_at': 'orders[].cancelled_at',
  'order_lines.order_id': 'sold[].order_id',
  'order_lines.product_id': 'orders[].lines[].product_id',
  'order_lines.name': 'orders[].lines[].name',
  'order_lines.price_cents': 'orders[].lines[].price',
  'order_lines.quantity': 'orders[].lines[].quantity',
  'stock_ledger.id': 'listings[].stock[].id',
  'stock_ledger.units': 'listings[].stock[].units',
  'stock_ledger.reason': 'listings[].stock[].reason',
  'stock_ledger.order_id': 'listings[].stock[].order_id',
  'stock_ledger.created_at': 'listings[].stock[].created_at',
  'stock_ledger.sent_as': 'listings[].stock[].idempotency_key',
}

/** Personal columns that nobody downloads, and why. */
const notExported: Record<string, string[]> = {
  'hashes of secrets, which would help only a thief': [
    'users.password_hash',
    'sessions.token_hash',
    'device_cookies.token_hash',
    'ended_sessions.token_hash',
    'ended_sessions.ended_at',
  ],
  'of letters that the person has received, or not yet': [
    'outbox.recipient',
    'outbox.kind',
    'outbox.subject',
    'outbox.last_error',
  ],
  'keys and random ids, which only a device can use': [
    'passkeys.credential_id',
    'passkeys.public_key',
    'passkeys.user_handle',
    'passkeys.counter',
    'passkeys.transports',
  ],
  'deleted within five minutes': [
    'passkey_challenges.challenge',
    'passkey_challenges.purpose',
    'passkey_challenges.user_id',
    'passkey_challenges.user_handle',
    'passkey_challenges.expires_at',
  ],
  'the id of the account, which stands in it once': [
    'passkeys.user_id',
    'former_usernames.user_id',
    'sessions.user_id',
    'device_cookies.user_id',
    'shops.user_id',
    'products.seller_id',
    'images.owner_id',
    'catalogue.seller_id',
    'vocabulary.said_by',
    'favourites.user_id',
    'carts.user_id',
    'cart_lines.user_id',
    'reviews.user_id',
    'orders.user_id',
  ],
  'derived from what is exported': [
    'users.username_skeleton',
    'former_usernames.name_hash',
    'former_usernames.skeleton_hash',
    'catalogue.product_id',
    'catalogue.stems',
    'vocabulary.word',
    'vocabulary.stem',
    'stock_ledger.product_id',
  ],
  'of a photo that is in the archive itself': [
    'images.folder',
    'images.width',
    'images.height',
    'images.widths',
    'images.colour',
    'images.bytes',
  ],
  'counters against abuse, deleted within two days': [
    'rate_limits.subject',
    'rate_limits.window_start',
    'rate_limits.count',
  ],
}

test('every personal column is downloaded, or on the list of those that are not', () => {
  const ofPeople = Object.entries(personal).flatMap(([table, each]) =>
    Object.keys(each).map(column => `${table}.${column}`),
  )
  expect([...Object.keys(exported), ...Object.values(notExported).flat()].sort()).toEqual(ofPeople.sort())
})

/** The values at a path of `exported`. */
const valuesAt = (data: unknown, path: string): unknown[] =>
  path.split('.').reduce<unknown[]>(
    (all, part) => {
      const found = all.map(each => (each as Record<string, unknown>)[part.replace('[]', '')])
      return part.endsWith('[]') ? found.flat() : found
    },
    [data],
  )

/** Downloads the data of a person. @returns file → content */
async function download(person: Person): Promise<Record<string, Uint8Array>> {
  const response = await fetch(`${shop.address}/api/account/data`, { headers: { cookie: person.cookie } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="my-data.zip"')
  return unzipSync(new Uint8Array(await response.arrayBuffer()))
}

/** Words that stand in nothing else, by the column they are typed into. */
const typed = {
  'users.username': 'Zylvarra-Quix',
  'users.email': 'zylphonia@example.com',
  'users.first_name': 'Zylberta',
  'users.last_name': 'Zyllinger',
  'former_usernames.username': 'Zylbefore-Quix',
  'sessions.device': 'Opera on Windows',
  'passkeys.name': 'Zylphone',
  'shops.words': 'I throw zylpots.',
  'shops.place': 'Zylhaven',
  'products.name': 'Zylmug',
  'products.description': 'A mug with a zylhandle',
  'products.added_as': 'zylkey-of-a-listing',
  'reviews.review': 'What a zylscarf!',
  'reviews.reply': 'Zylthanks to you.',
  'orders.idempotency_key': 'zylkey-of-an-order',
  'stock_ledger.sent_as': 'zylkey-of-a-listing',
} as const
const MARK = /zyl|opera on/i

/** Ana types all of them, and buys, sells, likes and uploads. @returns her listing's id, and Ben's */
async function live(): Promise<{ mug: number; scarf: number }> {
  const { first_name, last_name } = {
    first_name: typed['users.first_name'],
    last_name: typed['users.last_name'],
  }
  for (const username of [typed['former_usernames.username'], typed['users.username']])
    expect((await ana.put('/api/account/names', { username, first_name, last_name })).status).toBe(200)
  await shop.rows(`update users set email = '${typed['users.email']}' where id = ${ana.user.id}`)
  const agent = {
    'user-agent': 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 OPR/120.0',
  }
  await ana.post('/api/auth/login', { email: typed['users.email'], password: ana.password }, agent)
  ana.user = (await ana.get('/api/auth/')).body
  expect((await addPasskey(ana, new Authenticator(), typed['passkeys.name'])).status).toBe(201)
  const own = `/api/shops/${ana.user.username}`
  await ana.put(own, { words: typed['shops.words'], place: typed['shops.place'] })
  await ana.upload(`${own}/picture`, pngOf(300, 200))
  const draft = {
    ...aMug,
    name: typed['products.name'],
    description: typed['products.description'],
    stock: 5,
  }
  const mug = (await ana.post('/api/products/', draft, { 'idempotency-key': typed['products.added_as'] }))
    .body.id
  await ana.upload(`/api/products/${mug}/images`, pngOf(300, 200))
  const scarf = (await shop.list(ben, { name: 'Scarf', stock: 9 })).id
  await ben.post(`/api/reviews/${mug}/create-review`, { review: 'Good.', stars: 5 })
  const [{ id: review }] = (await ben.get(`/api/reviews/${mug}/reviews`)).body
  await ana.put(`/api/reviews/${review}/reply`, { reply: typed['reviews.reply'] })
  await ana.post(`/api/reviews/${scarf}/create-review`, { review: typed['reviews.review'], stars: 5 })
  for (const [person, id] of [
    [ana, scarf],
    [ben, mug],
  ] as const) {
    await person.put(`/api/favourites/${id}`)
    await person.post(`/api/cart_items/add/${id}`, { quantity: 2 })
    const key = { 'idempotency-key': typed['orders.idempotency_key'] }
    expect((await person.post('/api/orders/checkout', undefined, person === ana ? key : {})).status).toBe(201)
    await person.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  }
  return { mug, scarf }
}

/** Random texts, which may contain a mark by chance. */
const RANDOM = /_hash$|\.credential_id$/
/** Columns with one of the marks, in any row. */
async function marked(): Promise<string[]> {
  const found: string[] = []
  for (const name of (await columns()).filter(name => !RANDOM.test(name))) {
    const [table, column] = name.split('.')
    const rows = await shop.rows(
      `select "${column}"::text as text from ${table} where "${column}" is not null`,
    )
    if (rows.some(({ text }) => MARK.test(text))) found.push(name)
  }
  return found
}
/** Columns with the id of a user. */
async function naming(id: number): Promise<string[]> {
  const found: string[] = []
  for (const name of await columns()) {
    const [table, column] = name.split('.')
    const [{ n }] = await shop.rows(
      `select count(*)::int as n from ${table} where "${column}"::text = '${id}'`,
    )
    if (n > 0) found.push(name)
  }
  return found
}

test('what a person downloads has every column with its value, and the photos', async () => {
  const { mug, scarf } = await live()
  const files = await download(ana)
  const data = JSON.parse(strFromU8(files['data.json'] ?? new Uint8Array()))
  for (const [column, path] of Object.entries(exported)) {
    const values = valuesAt(data, path)
    expect(values.length, column).toBeGreaterThan(0)
    expect(values, column).not.toContain(undefined)
    if (column in typed) expect(values, column).toContain(typed[column as keyof typeof typed])
  }
  expect(data).toMatchObject({
    format: 1,
    account: ana.user,
    cart: [{ product_id: scarf, name: 'Scarf', quantity: 1, added_price: aMug.price }],
    saved: [{ product_id: scarf, name: 'Scarf' }],
    orders: [{ total: 2 * aMug.price, lines: [{ product_id: scarf, quantity: 2, price: aMug.price }] }],
    sold: [{ product_id: mug, quantity: 2, status: 'Pending' }],
    shop: { image_id: data.photos[0].id },
  })
  // Her picture and the photo of her listing, as the shop shows them.
  expect(data.photos.map(({ product_id }: { product_id: number }) => product_id)).toEqual([null, mug])
  const paths = data.photos.flatMap((photo: { files: string[] }) => photo.files)
  expect(Object.keys(files).sort()).toEqual(['READ ME.txt', 'data.json', ...paths].sort())
  const listing = (await ana.get(`/api/products/${mug}`)).body
  const shown = await fetch(shop.address + listing.images[0].url)
  expect(Buffer.from(files[paths[1]] ?? [])).toEqual(Buffer.from(await shown.arrayBuffer()))
  // Nothing of the other person, whose pieces and orders are in it.
  const text = strFromU8(files['data.json'] ?? new Uint8Array())
  for (const private_ of [ben.user.email, ben.user.username, ben.user.last_name])
    expect(text).not.toContain(private_)
  expect(text).not.toMatch(/argon2|token|hash/i)
})

test('the download is for its owner, three times a day, and for no other site', async () => {
  expect((await shop.visitor().get('/api/account/data')).status).toBe(401)
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-purpose': 'prefetch' }] as Record<
    string,
    string
  >[])
    expect((await ana.get('/api/account/data', headers)).status).toBe(403)
  expect((await ana.send({ method: 'HEAD', url: '/api/account/data' })).status).toBe(405)
  const strict = await openShop({ settings: { LIMITS: 'on' } })
  try {
    const eva = await strict.signUp('eva')
    for (let n = 0; n < 3; n++) expect((await eva.get('/api/account/data')).status).toBe(200)
    const refused = await eva.get('/api/account/data')
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    const { status, headers } = await eva.get('/api/account/data', { accept: 'text/html' })
    expect([status, headers.location]).toEqual([303, '/settings/account?done=later'])
    expect((await eva.get('/settings/account?done=later')).body).toContain('three times a day')
    // The cleanup of the hour keeps the count of the day.
    await sweepLimits(strict.db)
    expect((await eva.get('/api/account/data')).status).toBe(429)
  } finally {
    await strict.close()
  }
})

test('an empty account has a download too, and many at once are whole', async () => {
  const people = await times(6, n => shop.signUp(`p${n}`))
  const all = await Promise.all(people.map(download))
  for (const [n, files] of all.entries()) {
    expect(Object.keys(files).sort()).toEqual(['READ ME.txt', 'data.json'])
    const data = JSON.parse(strFromU8(files['data.json'] ?? new Uint8Array()))
    expect(data).toMatchObject({ account: people[n]?.user, listings: [], orders: [], shop: null })
  }
})

test('after a deletion nothing that a person typed is anywhere but where the list says so', async () => {
  const derived = ['catalogue.stems', 'users.username_skeleton', 'vocabulary.stem', 'vocabulary.word']
  const copies = ['order_lines.name']
  expect(await marked()).toEqual([...Object.keys(typed), ...derived, ...copies].sort())
  await shop.rows(`update orders set created_at = created_at - interval '61 days'`)
  const answer = await ana.post('/api/account/deletion', { current_password: ana.password, reviews: 'keep' })
  expect(answer.status).toBe(200)
  const stays = await marked()
  for (const name of stays) {
    const [table = '', column = ''] = name.split('.')
    expect([name, personal[table]?.[column]]).toEqual([name, 'kept'])
  }
  expect(stays).toEqual(['order_lines.name', 'products.name', 'reviews.review', 'stock_ledger.sent_as'])
  // No row has her id: what stays belongs to a row that leads to nobody.
  expect(await naming(ana.user.id)).toEqual([])
  expect(await shop.rows('select username, email, erased_at from users where erased_at is not null')).toEqual(
    [
      {
        username: expect.stringMatching(/^deleted-[0-9a-f]{20}$/),
        email: expect.stringMatching(/^[0-9a-f]{20}@deleted\.invalid$/),
        erased_at: expect.any(Date),
      },
    ],
  )
})
