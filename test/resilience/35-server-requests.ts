import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWorld, type World } from '../support/fixtures.ts'
import { type RealShop, until, withShop } from '../support/harness.ts'
import { PASSWORD, type Person } from '../support/person.ts'
import { allCalls, DELETION, isSigned } from '../support/resilience/calls.ts'
import { pngOf } from '../support/sample-pictures.ts'
import { Faults, type Scenario } from '../support/scenario.ts'
import { textFieldsOf } from '../support/text-fields.ts'

/**
 * Preloaded program that reports every outgoing connection and DNS lookup of its process. Unix sockets do not count.
 */
const connectionLogger = `
import dns from 'node:dns'
import dgram from 'node:dgram'
import net from 'node:net'
import { syncBuiltinESMExports } from 'node:module'
console.error('LOGGING CONNECTIONS')
const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...args) {
  const [to] = Array.isArray(args[0]) ? args[0] : args
  if (!(to && typeof to === 'object' ? to.path : typeof to === 'string')) console.error('CONNECTS ' + JSON.stringify(to))
  return connect.apply(this, args)
}
const logCalls = (of, name, how) => {
  const before = of[name]
  of[name] = function (...args) {
    // The shop resolves its own address to listen.
    if (args[0] !== '127.0.0.1') console.error('CONNECTS ' + how + ' ' + String(args[0]))
    return before.apply(this, args)
  }
}
for (const names of [dns, dns.promises])
  for (const name of Object.keys(names).filter(name => /^(lookup|resolve|reverse)/.test(name))) logCalls(names, name, 'by name')
logCalls(dgram.Socket.prototype, 'send', 'by datagram')
syncBuiltinESMExports()`

const bodies = Object.values(await allCalls()).flatMap(({ body }) => body ?? [])
/** Text fields, which may contain an address; other fields with a valid value. */
const TEXTS = new Set([...bodies.flatMap(body => Object.keys(textFieldsOf(body))), 'current_password'])
const OTHERS: Record<string, unknown> = {
  country: 'DE',
  category: 'Home & Living',
  price: 3,
  stock: 30,
  stock_shown: 30,
  stars: 3,
  quantity: 3,
  off: [],
  newest: randomUUID(),
  code: '0000',
  amount: 3,
  day: '2026-01-02',
  action: 'sent',
  address_id: null,
  pickup_id: null,
  up_to: 1,
  postage_profile_id: null,
  made_to_order: true,
  handling_days: 3,
  tags: ['clay'],
  materials: ['clay'],
  weight_grams: 3,
  dimensions: null,
  section_id: null,
  questions: [],
  variations: { variations: [], combinations: [] },
  /** The listing asks nothing. */
  answers: [],
  photos: [],
  /** Of the draft. */
  known: undefined,
  position: 1,
  change: 'price_set',
  ids: [1],
  matching: undefined,
  rows: [{ id: 1, version: 1, price: 3, stock: 3 }],
  from_country: 'PT',
  rates: [{ destination: '*', first: 4.5, further: 1, days_min: 2, days_max: 6 }],
  from: '2999-01-01',
  until: '2999-01-09',
  /** Of the order. */
  parcel: undefined,
  lines: undefined,
  orders: undefined,
  /** That a message is about. */
  listing: undefined,
  /** With an address as texts. */
  fields: undefined,
  /** With an address as a place. */
  pickup_places: undefined,
  /** Of the listing. */
  id: undefined,
  grounds: 'copy',
  shows_name: true,
  base: null,
  version: 1,
  is_trader: true,
  accepted: true,
  upheld: true,
  who_may_sell: 'open',
  seller_details_required: false,
  product_safety_required: false,
  /** Of the form. */
  outside_eu: false,
  /** Nothing is to be agreed to here. */
  agreed: [],
  agreed_at_signup: false,
  team: [],
  paper_light: '#eef4f7',
  accent_light: '#12587c',
  paper_dark: '#141a1e',
  accent_dark: '#9fd0ea',
  hero_link: '/',
  takes_messages: true,
  uses: 3,
  days: 7,
}
/** Its code is no text. */
const INVITATION = 'POST /api/selling/invitation'
const SHOP = 'PUT /api/shops/:username'
const NAMES = 'PUT /api/account/names'
const BRAND = 'PUT /api/operate/brand'
/** How a maker is reached: digits, and an address with an @. */
const PAGE = 'PUT /api/shops/:username/page'
/** Interval between reads of the connection table, ms; closed connections stay in it for a minute. */
const POLL_MS = 100
/** Time limit for a photo to be refused: its job runs each minute, ms. */
const PHOTO_MS = 100_000
/** Field names that SSRF-prone servers read; the shop has none of them. */
const MORE = ['url', 'image', 'image_url', 'next', 'callback', 'webhook']

/** Not what needs a signature, or ends the account or the session of an operator. */
const isTried = (key: string) =>
  key !== DELETION && key !== INVITATION && !isSigned(key) && !key.endsWith('/operate/session')

/** A body with an address in every text field. @param n makes accounts unique @param fixed required values */
function bodyOf(
  fields: string[],
  address: string,
  n: number,
  fixed: Record<string, unknown>,
): Record<string, unknown> {
  const value = (field: string) => {
    if (field in fixed) return fixed[field]
    if (field === 'email') return `${n}@${address}`
    if (field === 'username') return `${address}${n}`
    // At most 20 characters.
    if (field.endsWith('password') || field === 'postal_code')
      return address.replace(/^http:|x$/g, '').slice(0, 20)
    return field in OTHERS ? OTHERS[field] : address
  }
  return Object.fromEntries([...fields, ...MORE].map(field => [field, value(field)]))
}

/** Connections of this machine to a port of 127.0.0.1 or to 169.254.169.254, including closed ones. */
function listed(port: number): string[] {
  const [local, metadata] = [port.toString(16).toUpperCase().padStart(4, '0'), 'FEA9FEA9:']
  return ['/proc/net/tcp', '/proc/net/tcp6'].filter(existsSync).flatMap(table =>
    readFileSync(table, 'utf8')
      .split('\n')
      .map(line => line.trim().split(/\s+/)[2] ?? '')
      .filter(remote => remote.endsWith(`:${local}`) || remote.includes(metadata)),
  )
}

interface Sent {
  world: World
  another: number
  visitor: Person
  /** An operator. */
  otto: Person
  /** About the owner. */
  decision: number
}

/** An operator whose pages are open, and a decision about the owner. */
async function openOperator(shop: RealShop, owner: Person): Promise<Pick<Sent, 'otto' | 'decision'>> {
  const otto = await shop.signUp('otto')
  await shop.rows(`insert into operators (user_id) values (${otto.user.id})`)
  await otto.post('/api/operate/session', { current_password: PASSWORD })
  const [decision] = await shop.rows(`
    insert into operator_log (by_command, action, person_id, reason)
    values (true, 'listing-hidden', ${owner.user.id}, 'A copy') returning id`)
  return { otto, decision: Number(decision?.id) }
}

/** Sends every call with an address in each field, header and parameter. @returns number of requests */
async function sendAll(
  { world, another, visitor, otto, decision }: Sent,
  address: string,
  first: number,
  accepted: Set<string>,
): Promise<number> {
  const { owner, listing, line, review, order, passkey, profile, section, address: home, draft } = world
  // A parcel is received after it was sent, and the batch sends what is left. Calls that end something come last; logout ends
  // the session.
  const later = [/received$/, /undo$/, /batch$/, /POST .*sections/, /retire$/, /restore$/, /^DELETE/]
  const rank = (key: string) =>
    key.includes('/operate/') ? 99 : later.findIndex(pattern => pattern.test(key)) + 9 * Number(key === NAMES)
  const calls = Object.entries(await allCalls())
    .filter(([key]) => isTried(key) && !/logout|DELETE .*sessions/.test(key))
    .sort(([a], [b]) => rank(a) - rank(b))
  // Without a photo there is none to describe.
  await owner.upload(`/api/shops/${owner.user.username}/banner`, pngOf(400, 100))
  let sent = first
  let parcel = 0
  for (const [key, call] of calls) {
    const [method = '', path = ''] = key.split(' ')
    const fields = Object.keys((call.body as { shape?: object } | undefined)?.shape ?? {})
    const body = bodyOf(fields, address, sent, {
      current_password: key.includes('/operate/') ? PASSWORD : owner.password,
      id: listing,
      lines: [{ id: listing, quantity: 1 }],
      orders: [order],
      listing,
      parcel,
      pickup_places: [{ place: address, hours: address }],
      fields: { name: address, story: address },
      ids: key.includes('drafts') ? [draft] : [listing],
      // The name of a shop has no colon and no slash.
      ...(key === SHOP ? { name: undefined } : {}),
      ...(key === BRAND
        ? { short_name: 'Short', team: [{ name: address, role: address, profile: '' }] }
        : {}),
      ...(key === PAGE ? { contact_email: `a@${address}`, contact_phone: '0123' } : {}),
    })
    const id = key.includes('passkeys')
      ? passkey
      : key.includes('cart')
        ? line
        : /edit-review|delete-review|reply|reviews\/:id/.test(key)
          ? review
          : listing
    const ids: Record<string, unknown> = {
      id,
      orderId: order,
      conversationId: world.conversation,
      addressId: home,
      eventId: parcel,
      decisionId: decision,
      userId: otto.user.id,
      profileId: profile,
      sectionId: section,
      draftId: draft,
      sellerId: owner.user.id,
      username: encodeURIComponent(owner.user.username),
    }
    const target = key.includes('create-review') ? another : listing
    const url = path.replace(/:(\w+)/g, (_, name) => String(ids[name] ?? target)).replace(/(.)\/$/, '$1')
    const encoded = encodeURIComponent(address)
    // A login ends the browser's session.
    const person = /login|signup/.test(key) ? visitor : key.includes('/operate/') ? otto : owner
    const { status, body: response } = await person.send({
      method: method as 'POST',
      url: `${url}?next=${encoded}&${path === '/api/products/' ? 'q' : 'url'}=${encoded}`,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': `${address}${sent}`,
        'x-forwarded-for': address,
        'x-forwarded-host': address,
        forwarded: `host=${address}`,
      },
      ...(method === 'GET' ? {} : { payload: body }),
    })
    // A wrong password, and a wrong code.
    const understood =
      status < 300 ||
      (key.endsWith('login') && status === 401) ||
      // Everybody may sell here; and what operators do not find, or have done already.
      (key.endsWith('application') && status === 409) ||
      // Nobody writes to themselves.
      (key.includes('messages/to') && status === 409) ||
      (key.includes('/operate/') && [404, 409].includes(status)) ||
      (key.endsWith('collected') && status === 409)
    parcel = response?.parcels?.[0]?.id ?? parcel
    if (understood) for (const field of fields) accepted.add(`${key} ${field}`)
    if (understood && key === 'POST /api/auth/password') owner.password = String(body.new_password)
    if (understood && key === NAMES) owner.user = response
    sent++
  }
  return sent - first
}

/** The job that fetches photos of imported drafts gets an address that is not on its one host. */
async function tryPhoto(shop: RealShop, owner: Person, listing: number, address: string, faults: Faults) {
  await shop.rows(`
    insert into draft_pictures (seller_id, product_id, position, url, state)
    values (${owner.user.id}, ${listing}, 1, '${address}', 'pending')`)
  // Runs the job.
  await owner.post('/api/import/photos/retry')
  const reason = () =>
    shop.rows(
      `select from draft_pictures where product_id = ${listing} and state = 'failed' and reason is not null`,
    )
  const refused = await until(PHOTO_MS, async () => (await reason()).length === 1).then(
    () => true,
    () => false,
  )
  faults.expect(refused, `the photo ${address} was not refused`)
}

export const scenario: Scenario = {
  risk: 'SSRF',
  promise: 'addresses in every field: 0 outgoing connections',
  async run() {
    const faults = new Faults()
    let visits = 0
    const bait = createServer(visitor => {
      visits++
      visitor.destroy()
    })
    await new Promise<void>(listening => bait.listen(0, '127.0.0.1', listening))
    const { port } = bait.address() as AddressInfo
    const preload = join(tmpdir(), `thrum-connection-logger-${process.pid}.mjs`)
    await writeFile(preload, connectionLogger)
    // Not longer than the shortest field.
    const addresses = [
      `http://127.0.0.1:${port}/x`,
      `//127.0.0.1:${port}/`,
      'http://169.254.169.254/',
      'http://x.bait.invalid/',
      'file:///etc/passwd',
    ]
    const fields = Object.entries(await allCalls())
      .filter(([key]) => isTried(key))
      .flatMap(([key, { body }]) =>
        Object.keys((body as { shape?: object } | undefined)?.shape ?? {}).map(
          field => [key, field] as const,
        ),
      )
      .filter(([key, field]) => !(key === SHOP && field === 'name'))
    for (const [key, field] of fields)
      faults.expect(TEXTS.has(field) || field in OTHERS, `${key}: no value for the field ${field}`)
    const connections = new Set<string>()
    const poll = () => {
      for (const connection of listed(port)) connections.add(connection)
    }
    const polling = setInterval(poll, POLL_MS)
    const sent = await withShop({ NODE_OPTIONS: `--import=file://${preload}` }, async shop => {
      let sent = 0
      for (const address of addresses) {
        const accepted = new Set<string>()
        const world = await openWorld(shop)
        const { id: another } = await shop.list(world.owner)
        const others = { another, visitor: shop.visitor(), ...(await openOperator(shop, world.owner)) }
        sent += await sendAll({ world, ...others }, address, sent, accepted)
        for (const [key, field] of fields)
          faults.expect(accepted.has(`${key} ${field}`), `${key} refused ${address} in ${field}`)
        for (const text of [
          `<svg xmlns="http://www.w3.org/2000/svg"><image href="${address}"/></svg>`,
          `%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/URI/URI(${address})>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF`,
        ])
          await world.owner.upload(`/api/products/${another}/images`, Buffer.from(text), 'a.pdf')
        await tryPhoto(shop, world.owner, another, address, faults)
        // Reading the page draws its share picture.
        await world.owner.get(`/products/${another}`, { accept: 'text/html' })
        poll()
      }
      const connected = [...shop.log.matchAll(/CONNECTS (.*)/g)].map(([, to]) => to)
      faults.expect(shop.log.includes('LOGGING CONNECTIONS'), 'logger not loaded')
      faults.expect(connected.length === 0, `connections to ${connected.slice(0, 3)}`)
      return sent
    })
    clearInterval(polling)
    bait.close()
    faults.expect(visits === 0, `${visits} visits`)
    faults.expect(connections.size === 0, `the system lists ${[...connections]}`)
    const texts = fields.filter(([, field]) => TEXTS.has(field) && field !== 'current_password').length
    const system = existsSync('/proc/net/tcp') ? ', none in the system’s table' : ''
    return faults.outcome(
      `${sent} requests with ${addresses.length} addresses in headers, parameters, files and photos of drafts, and in all ${texts} text fields: ${visits} requests, no outgoing connection, lookup or datagram${system}`,
    )
  },
}
