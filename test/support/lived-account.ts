import { expect } from 'vitest'
import { record as recordDecision } from '#operators/log.ts'
import { record } from '#orders/events.ts'
import { Authenticator, addPasskey } from './authenticator.ts'
import { itsDetails } from './listings.ts'
import { typed, zylmug } from './personal-texts.ts'
import { pngOf } from './sample-pictures.ts'
import type { Person, TestShop } from './shop.ts'

/** Two people who buy from each other and sell to each other. */
interface People {
  shop: TestShop
  ana: Person
  ben: Person
}

/** Ben sends everywhere for nothing. Ana's piece is collected, and both wrote notes for their orders. */
async function describePostage({ shop, ana, ben }: People, mug: number): Promise<void> {
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
  await chooseNote({ shop, ana, ben })
}
/** What Ana chooses for Ben's pieces in her cart. */
const chooseNote = ({ shop, ana, ben }: People) =>
  shop.rows(`
    insert into cart_choices (user_id, seller_id, note)
    values (${ana.user.id}, ${ben.user.id}, '${typed['cart_choices.note']}')`)

/** Each sends the order of the other, who receives it; and they write to each other. */
async function deliver(
  { shop, ana, ben }: People,
  [anas = 0, bens = 0]: number[],
  { mug, scarf }: { mug: number; scarf: number },
) {
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
  await chooseNote({ shop, ana, ben })
}

/** Ana types all of them, and buys, sells, likes and uploads. @returns her listing's id, and Ben's */
export async function live(people: People): Promise<{ mug: number; scarf: number }> {
  const { shop, ana, ben } = people
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
  const input = { ...zylmug, ...details }
  const mug = (await ana.post('/api/products/', input, { 'idempotency-key': typed['products.added_as'] }))
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
  await describePostage(people, mug)
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
  await agree(people)
  await comeToSell(people)
  await deliver(people, bought, { mug, scarf })
  await converse(people, mug, scarf)
  await disagree(people, { mug, scarf })
  return { mug, scarf }
}

/** Ana asks Ben about his scarf, who answers; she was stopped, and has stopped somebody who asked her. */
async function converse({ shop, ana, ben }: People, mug: number, scarf: number): Promise<void> {
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
const agree = ({ shop, ana, ben }: People) =>
  shop.rows(`
    with version as (
      insert into page_versions (slug, text, author_id) values ('terms', 'Be kind.', ${ben.user.id}) returning id
    ) insert into agreements (user_id, version_id) select ${ana.user.id}, id from version`)

/** Ana applied, came by an invitation of Ben, and said who she is. */
async function comeToSell({ shop, ana, ben }: People): Promise<void> {
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
async function disagree(
  { shop, ana, ben }: People,
  { mug, scarf }: { mug: number; scarf: number },
): Promise<void> {
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
