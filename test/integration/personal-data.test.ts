import { strFromU8 } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { record as recordDecision } from '#operators/log.ts'
import { record } from '#orders/events.ts'
import { RequiredFields } from '#products/contract.ts'
import { Authenticator, addPasskey } from '../support/authenticator.ts'
import { exported, notExported } from '../support/downloaded-columns.ts'
import { itsDetails, mugSaying } from '../support/listings.ts'
import { download } from '../support/own-data.ts'
import { impersonal, personal } from '../support/personal-columns.ts'
import { pngOf } from '../support/sample-pictures.ts'
import { aMug, openShop, type Person, type TestShop } from '../support/shop.ts'
import { textFieldsOf } from '../support/text-fields.ts'

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

test('every column is on one list: personal data, or none', async () => {
  const ofPeople = Object.entries(personal).flatMap(([table, each]) =>
    Object.keys(each).map(column => `${table}.${column}`),
  )
  const others = Object.entries(impersonal).flatMap(([table, each]) =>
    each.map(column => `${table}.${column}`),
  )
  expect([...ofPeople, ...others].sort()).toEqual(await columns())
})

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
/** A listing with unique words in every text field. */
const zylmug = mugSaying(field => `Zyl${field}`)
/** Unique words, by the column they are typed into. */
const typed = {
  'users.username': 'Zylvarra-Quix',
  'users.email': 'zylphonia@example.com',
  'users.first_name': 'Zylberta',
  'users.last_name': 'Zyllinger',
  'former_usernames.username': 'Zylbefore-Quix',
  'sessions.device': 'Opera on Windows',
  'passkeys.name': 'Zylphone',
  'email_links.email': 'zylnewly@example.com',
  'email_links.former_email': 'zylphonia@example.com',
  'shops.name': 'Zylpottery',
  'shop_names.look': 'zylpottery',
  'shops.words': 'I throw zylpots.',
  'shops.place': 'Zylhaven',
  'shops.away_note': 'Gone zylfishing.',
  'shops.payment_words': 'By zylbank.',
  'shops.contact_email': 'zylpost@example.com',
  'shops.contact_phone': '+351 900 7264',
  'shops.returns': 'Send the zylpot back.',
  'shops.custom_orders': 'Zylcolours as you wish.',
  'shops.care': 'Wash the zylglaze by hand.',
  'postage_profiles.name': 'Zylpost',
  'pickup_places.place': 'Zylstall',
  'pickup_places.hours': 'Zyldays',
  'addresses.name': 'Zyla Home',
  'addresses.line1': 'Zylstreet 5',
  'addresses.line2': 'Zylfloor',
  'addresses.city': 'Zyltown',
  'addresses.region': 'Zylland',
  'addresses.postal_code': 'ZYL 1',
  'addresses.key': 'zylkey-of-an-address',
  'cart_choices.note': 'Zylwrap it.',
  'products.title': 'Zyltitle',
  'products.story': 'Zylstory',
  'products.tags': 'zyltag',
  'products.materials': 'zylclay',
  'products.safety': 'Zylsharp.',
  'products.manufacturer': 'Zylworks',
  'products.questions': 'Zylname',
  'products.variations': 'Zylsize',
  'variants.options': 'Zylhuge',
  'variants.sku': 'ZYL-9',
  'cart_lines.answers': 'Zylberta again',
  'order_lines.answers': 'Zylberta in gold',
  'sections.name': 'Zylpots',
  'drafts.fields': 'Zyldraft',
  'drafts.added_as': 'zylkey-of-a-draft',
  'drafts.source_key': 'title zylpot',
  'drafts.imported': 'Zylpot',
  'products.source_key': 'sku zyl',
  ...Object.fromEntries(
    Object.keys(textFieldsOf(RequiredFields)).map(field => [`products.${field}`, `Zyl${field}`]),
  ),
  'products.added_as': 'zylkey-of-a-listing',
  'draft_pictures.url': 'https://i.etsystatic.com/zyl.jpg',
  'draft_pictures.reason': 'The zylphoto is gone.',
  'draft_pictures.alt': 'The zylfoot of a mug.',
  'reviews.review': 'What a zylscarf!',
  'reviews.reply': 'Zylthanks to you.',
  'orders.idempotency_key': 'zylkey-of-an-order',
  'orders.note': 'Zylwrap it.',
  'orders.pickup_place': 'Zylstall',
  'orders.pickup_hours': 'Zyldays',
  'order_addresses.name': 'Zyla Home',
  'order_addresses.line1': 'Zylstreet 5',
  'order_addresses.line2': 'Zylfloor',
  'order_addresses.city': 'Zyltown',
  'order_addresses.region': 'Zylland',
  'order_addresses.postal_code': 'ZYL 1',
  'order_events.reason': 'It is zylgood.',
  'order_events.tracking': 'ZYL123',
  'order_messages.text': 'Hello from Zylberta.',
  'order_messages.key': 'zylkey-of-a-message',
  'conversation_messages.text': 'Could the zylscarf be longer?',
  'conversation_messages.key': 'zylkey-of-a-question',
  'stock_ledger.sent_as': 'zylkey-of-a-listing',
  'objections.words': 'The zylmug is mine.',
  'reports.words': 'That scarf is a zylscarf.',
  'applications.words': 'I throw zylpots, and want to sell them.',
  'seller_details.name': 'Zyllinger Pottery',
  'seller_details.address': 'Zylstreet 7',
  'seller_details.email': 'zylpottery@example.com',
  'seller_details.phone': 'zyl 123',
  'seller_details.register': 'Zylcourt 4',
  'seller_details.vat_id': 'ZYL456',
  'seller_details.responsible_person': 'Zylagent',
  'seller_details.safety': 'Zylhot.',
} as const
const MARK = /zyl|opera on|900 7264/i

/** Ben sends everywhere for nothing. Ana's piece is collected, and both wrote notes for their orders. */
async function describePostage(mug: number): Promise<void> {
  const profile = (person: Person) => `(select id from postage_profiles where seller_id = ${person.user.id})`
  await shop.rows(`delete from pickup_places where profile_id in (${profile(ana)}, ${profile(ben)})`)
  for (const person of [ana, ben])
    await shop.rows(`
      insert into postage_rates (profile_id, destination, first_cents, further_cents, days_min, days_max)
      values (${profile(person)}, '*', 0, 0, 1, 5)`)
  const { 'postage_profiles.name': name, 'pickup_places.place': place, 'pickup_places.hours': hours } = typed
  await shop.rows(`update postage_profiles set name = '${name}' where seller_id = ${ana.user.id}`)
  await shop.rows(`update products set postage_profile_id = ${profile(ana)} where id = ${mug}`)
  await shop.rows(
    `insert into pickup_places (profile_id, place, hours) values (${profile(ana)}, '${place}', '${hours}')`,
  )
  await shop.rows(`
    update shops set away_note = '${typed['shops.away_note']}', payment_words = '${typed['shops.payment_words']}'
    where user_id = ${ana.user.id}`)
  await chooseNote()
}
/** What Ana chooses for Ben's pieces in her cart. */
const chooseNote = () =>
  shop.rows(`
    insert into cart_choices (user_id, seller_id, note)
    values (${ana.user.id}, ${ben.user.id}, '${typed['cart_choices.note']}')`)

/** Each sends the order of the other, who receives it; and they write to each other. */
async function deliver([anas = 0, bens = 0]: number[], { mug, scarf }: { mug: number; scarf: number }) {
  for (const [order, product_id] of [
    [anas, scarf],
    [bens, mug],
  ] as const) {
    const by = order === bens ? { carrier: 'UPS', tracking: typed['order_events.tracking'] } : {}
    const about = await record(shop.db, order, { kind: 'sent', role: 'maker', ...by }, [
      { product_id, quantity: 2 },
    ])
    const reason = order === anas ? typed['order_events.reason'] : 'Lovely.'
    await record(shop.db, order, { kind: 'received', role: 'shopper', about, reason })
    const [mine, theirs] = order === anas ? ['shopper', 'maker'] : ['maker', 'shopper']
    await shop.rows(`
      insert into order_messages (order_id, role, text, key) values
      (${order}, '${mine}', '${typed['order_messages.text']}', '${typed['order_messages.key']}'),
      (${order}, '${theirs}', 'Hello from Ben.', 'a key of his')`)
  }
  await chooseNote()
}

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
  const change = { email: typed['email_links.email'], current_password: ana.password }
  expect((await ana.post('/api/auth/email', change)).status).toBe(200)
  const own = `/api/shops/${ana.user.username}`
  expect((await ana.put('/api/letters/', { off: ['review'] })).status).toBe(200)
  const saved = await ana.put(own, {
    words: typed['shops.words'],
    place: typed['shops.place'],
    name: typed['shops.name'],
  })
  expect(saved.status).toBe(200)
  await ana.upload(`${own}/picture`, pngOf(300, 200))
  await ana.upload(`${own}/banner`, pngOf(300, 200))
  const page = {
    contact_email: typed['shops.contact_email'],
    contact_phone: typed['shops.contact_phone'],
    returns: typed['shops.returns'],
    custom_orders: typed['shops.custom_orders'],
    care: typed['shops.care'],
  }
  expect((await ana.put(`${own}/page`, page)).status).toBe(200)
  const section = (await ana.post('/api/sections/', { name: typed['sections.name'] })).body.id
  const begun = { fields: { name: typed['drafts.fields'] } }
  const unpublished = await ana.post('/api/drafts/', begun, { 'idempotency-key': typed['drafts.added_as'] })
  await ana.upload(`/api/drafts/${unpublished.body.id}/images`, pngOf(300, 200))
  await shop.rows(
    `update drafts set source_key = 'title zylpot', imported = '{"fields": {"name": "Zylpot"}}' where id = ${unpublished.body.id}`,
  )
  const details = {
    title: typed['products.title'],
    story: typed['products.story'],
    tags: [typed['products.tags']],
    materials: [typed['products.materials']],
    weight_grams: 340,
    dimensions: itsDetails.dimensions,
    safety: typed['products.safety'],
    manufacturer: typed['products.manufacturer'],
    section_id: section,
    questions: [{ title: typed['products.questions'], max_length: 20 }],
  }
  const draft = { ...zylmug, ...details }
  const mug = (await ana.post('/api/products/', draft, { 'idempotency-key': typed['products.added_as'] }))
    .body.id
  await shop.rows(`update products set source_key = 'sku zyl' where id = ${mug}`)
  const options = [typed['variants.options']]
  const variations = {
    variations: [{ title: typed['products.variations'], options }],
    combinations: [{ options, price: 5, stock: 1, sku: typed['variants.sku'] }],
  }
  await ana.post('/api/products/', { ...zylmug, variations })
  await ana.upload(`/api/products/${mug}/images`, pngOf(300, 200))
  await shop.rows(`
    insert into draft_pictures (seller_id, product_id, position, url, alt, reason)
    values (${ana.user.id}, ${mug}, 2, '${typed['draft_pictures.url']}', '${typed['draft_pictures.alt']}', '${typed['draft_pictures.reason']}')`)
  const questions = [{ title: 'Name', instructions: '', required: false, max_length: 20 }]
  const scarf = (await shop.list(ben, { name: 'Scarf', stock: 9, questions })).id
  await ben.post(`/api/reviews/${mug}/create-review`, { review: 'Good.', stars: 5 })
  const [{ id: review }] = (await ben.get(`/api/reviews/${mug}/reviews`)).body
  await ana.put(`/api/reviews/${review}/reply`, { reply: typed['reviews.reply'] })
  await ana.post(`/api/reviews/${scarf}/create-review`, { review: typed['reviews.review'], stars: 5 })
  const { 'addresses.key': key, 'addresses.name': name } = typed
  const home = {
    line1: typed['addresses.line1'],
    line2: typed['addresses.line2'],
    city: typed['addresses.city'],
  }
  const there = {
    region: typed['addresses.region'],
    postal_code: typed['addresses.postal_code'],
    country: 'DE',
  }
  await ana.post('/api/addresses/', { name, ...home, ...there }, { 'idempotency-key': key })
  await describePostage(mug)
  const bought: number[] = []
  for (const [person, id] of [
    [ana, scarf],
    [ben, mug],
  ] as const) {
    await person.put(`/api/favourites/${id}`)
    const answered = (answer: string) => (person === ana ? { answers: [{ question: 'Name', answer }] } : {})
    await person.post(`/api/cart_items/add/${id}`, {
      quantity: 2,
      ...answered(typed['order_lines.answers']),
    })
    const key = { 'idempotency-key': typed['orders.idempotency_key'] }
    const placed = await person.post('/api/orders/checkout', undefined, person === ana ? key : {})
    expect(placed.status).toBe(201)
    bought.push(placed.body.id)
    await person.post(`/api/cart_items/add/${id}`, { quantity: 1, ...answered(typed['cart_lines.answers']) })
  }
  await agree()
  await comeToSell()
  await deliver(bought, { mug, scarf })
  await converse(mug, scarf)
  await disagree({ mug, scarf })
  return { mug, scarf }
}

/** Ana asks Ben about his scarf, who answers; she was stopped, and has stopped somebody who asked her. */
async function converse(mug: number, scarf: number): Promise<void> {
  const [{ id: dora }] = await shop.rows(`
    insert into users (username, email, first_name, last_name, password_hash)
    values ('dora', 'dora@example.com', 'Dora', 'Dale', '') returning id`)
  const { 'conversation_messages.text': text, 'conversation_messages.key': key } = typed
  for (const [shopper, maker, product, side] of [
    [ana.user.id, ben.user.id, scarf, 'shopper'],
    [dora, ana.user.id, mug, 'maker'],
  ] as const) {
    const [{ id }] = await shop.rows(`
      insert into conversations (shopper_id, maker_id, product_id, shopper_stopped_at, maker_stopped_at)
      values (${shopper}, ${maker}, ${product}, now(), now()) returning id`)
    await shop.rows(`
      insert into conversation_messages (conversation_id, role, text, key, read_at) values
      (${id}, '${side}', '${text}', '${key}', now()),
      (${id}, '${side === 'maker' ? 'shopper' : 'maker'}', 'Hello from somebody.', 'a key of theirs', now())`)
  }
}

/** Ana agreed to a page, of which Ben wrote a version. */
const agree = () =>
  shop.rows(`
    with version as (
      insert into page_versions (slug, text, author_id) values ('terms', 'Be kind.', ${ben.user.id}) returning id
    ) insert into agreements (user_id, version_id) select ${ana.user.id}, id from version`)

/** Ana applied, came by an invitation of Ben, and said who she is. */
async function comeToSell(): Promise<void> {
  const details = Object.fromEntries(
    Object.entries(typed).flatMap(([column, value]) =>
      column.startsWith('seller_details.') ? [[column.split('.')[1], value]] : [],
    ),
  )
  expect(
    (await ana.put('/api/selling/details', { ...details, is_trader: true, outside_eu: true })).status,
  ).toBe(200)
  await shop.rows(`
    insert into applications (user_id, words) values (${ana.user.id}, '${typed['applications.words']}')`)
  await shop.rows(`
    with link as (
      insert into invitations (token_hash, note, uses_left, expires_at, created_by)
      values ('x', 'The fair', 1, now(), ${ben.user.id}) returning id
    ) insert into invitation_uses (user_id, invitation_id) select ${ana.user.id}, id from link`)
}

/** An operator decided about Ana's mug, and she objected. She reported a scarf. */
async function disagree({ mug, scarf }: { mug: number; scarf: number }): Promise<void> {
  const about = { action: 'listing-hidden', person: ana.user.id, product: mug } as const
  const decision = await recordDecision(shop.db, ben.user.id, {
    ...about,
    reason: 'A copy',
    rule: 'Your own work',
  })
  const words = typed['objections.words']
  expect((await ana.post(`/api/notices/${decision}/objection`, { words })).status).toBe(201)
  const report = { grounds: 'copy', words: typed['reports.words'] }
  expect((await ana.post(`/api/products/${scarf}/reports`, report)).status).toBe(201)
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
  const files = await download(shop, ana)
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
    letters_off: [{ kind: 'review' }],
    cart: [{ product_id: scarf, name: 'Scarf', quantity: 1, added_price: aMug.price }],
    saved: [{ product_id: scarf, name: 'Scarf' }],
    orders: [{ total: 2 * aMug.price, lines: [{ product_id: scarf, quantity: 2, price: aMug.price }] }],
    sold: [{ product_id: mug, quantity: 2, status: 'Sent' }],
    shop: { image_id: data.photos[0].id, banner_id: data.photos[1].id },
  })
  // Her picture, the wide photo of her page, and the photos of her draft and her listing, as the shop shows them.
  expect(data.photos.map(({ product_id }: { product_id: number }) => product_id)).toEqual([
    ...[null, null, null],
    mug,
  ])
  const paths = data.photos.flatMap((photo: { files: string[] }) => photo.files)
  expect(Object.keys(files).sort()).toEqual(['READ ME.txt', 'data.json', ...paths].sort())
  const listing = (await ana.get(`/api/products/${mug}`)).body
  const shown = await fetch(shop.address + listing.images[0].url)
  expect(Buffer.from(files[paths[3]] ?? [])).toEqual(Buffer.from(await shown.arrayBuffer()))
  // Nothing of the other person, whose pieces and orders are in it.
  const text = strFromU8(files['data.json'] ?? new Uint8Array())
  for (const private_ of [ben.user.email, ben.user.username, ben.user.last_name])
    expect(text).not.toContain(private_)
  expect(text).not.toMatch(/argon2|token|hash/i)
})

test('after a deletion what a person typed is only where the list allows it', async () => {
  const derived = ['catalogue.stems', 'users.username_skeleton', 'vocabulary.stem', 'vocabulary.word']
  const copies = ['order_lines.name', 'security_events.passkey']
  expect(await marked()).toEqual([...Object.keys(typed), ...derived, ...copies].sort())
  const answer = await ana.post('/api/account/deletion', { current_password: ana.password, reviews: 'keep' })
  expect(answer.status).toBe(200)
  const stays = await marked()
  for (const name of stays) {
    const [table = '', column = ''] = name.split('.')
    expect([name, personal[table]?.[column]]).toEqual([name, 'retained'])
  }
  expect(stays).toEqual([
    'order_events.tracking',
    'order_lines.name',
    'products.name',
    'reports.words',
    'reviews.review',
    'stock_ledger.sent_as',
  ])
  // What the other side wrote stays for the other side.
  expect(await shop.rows(`select distinct text from order_messages order by text`)).toEqual([
    { text: '' },
    { text: 'Hello from Ben.' },
  ])
  // No row has her id: what stays belongs to a row without a name.
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
