import { everyCall, openWorld, stateOf, type World } from '../support/fixtures.ts'
import { withShop } from '../support/harness.ts'
import { type Answer, countStatuses, type Shop } from '../support/person.ts'
import { Faults, formatCounts, type Outcome, type Scenario } from '../support/scenario.ts'
import { allCalls } from './calls.ts'

/** Public calls. */
const OPEN = new Set([
  'GET /api/products/',
  'GET /api/products/counts',
  'GET /api/products/suggestions',
  'GET /api/products/:id',
  'GET /api/products/:id/similar',
  'GET /api/shops/:username',
  'GET /api/reviews/:productId/reviews',
  'GET /api/reviews/:productId/histogram',
])

/** Calls without a login, and their refusals here: wrong password, existing account, unknown link. */
const DOORS: Record<string, number> = {
  'POST /api/auth/login': 401,
  'POST /api/auth/confirm-email': 400,
  'POST /api/auth/login/passkey/challenge': 200,
  'POST /api/auth/login/passkey': 401,
  'POST /api/auth/signup': 201,
  'POST /api/auth/forgotten-password': 200,
  'POST /api/auth/reset-password/check': 410,
  'POST /api/auth/reset-password': 410,
  'GET /api/auth/logout': 200,
  'GET /api/letters/off/:token': 403,
  'POST /api/letters/off/:token': 403,
}

/** Calls about the caller alone, and their status for a new user. All other calls take ids of others. */
const OWN_STATUS: Record<string, number> = {
  'GET /api/auth/': 200,
  'GET /api/auth/session': 200,
  'GET /api/auth/sessions': 200,
  'DELETE /api/auth/sessions': 200,
  'POST /api/auth/password': 200,
  'GET /api/auth/email': 200,
  'POST /api/auth/email': 200,
  'DELETE /api/auth/email/change': 200,
  'POST /api/auth/confirmations': 200,
  'GET /api/auth/passkeys': 200,
  'POST /api/auth/passkeys/confirmation': 200,
  'POST /api/auth/passkeys/challenge': 200,
  'POST /api/auth/passkeys': 201,
  'GET /api/products/current': 200,
  'POST /api/products/': 201,
  'GET /api/favourites/': 200,
  'GET /api/favourites/ids': 200,
  'PUT /api/favourites/:productId': 200,
  'DELETE /api/favourites/:productId': 200,
  'POST /api/cart_items/add/:productId': 201,
  'GET /api/reviews/:productId/own': 200,
  'POST /api/reviews/:productId/create-review': 201,
  'GET /api/orders/': 200,
  'GET /api/orders/order-items/:any': 200,
  'POST /api/orders/checkout': 400,
  'GET /api/notifications/': 200,
  'POST /api/notifications/seen': 200,
  'GET /api/letters/': 200,
  'PUT /api/letters/': 200,
  'PUT /api/account/names': 200,
  'POST /api/account/data': 201,
  'GET /api/account/data': 200,
  'GET /api/account/deletion': 200,
  'POST /api/account/deletion': 200,
}

/** Private data: its name, its pattern in a response, and the owner's call that returns it. */
type Secret = [name: string, pattern: RegExp, source: string]

/** A user with one of everything, including private data that no public listing contains. */
async function openSecrets(shop: Shop): Promise<{ world: World; secrets: Secret[] }> {
  const world = await openWorld(shop)
  const { owner } = world
  const maker = await shop.signUp('maker')
  const [ordered, inCart, saved] = await Promise.all(
    ['A jug until Tuesday', 'Wanted by one', 'Dreamt of by one'].map(name =>
      shop.list(maker, { name, stock: 900 }),
    ),
  )
  const add = async (id: number, quantity: number) =>
    (await owner.post(`/api/cart_items/add/${id}`, { quantity })).body.id as number
  await add(ordered!.id, 29)
  const order = (await owner.post('/api/orders/checkout')).body.id as number
  await maker.put(`/api/products/${ordered!.id}`, { ...ordered, name: 'A jug' })
  const line = await add(world.listing, 2)
  const other = await add(inCart!.id, 23)
  await owner.put(`/api/favourites/${saved!.id}`)
  const { body: devices } = await owner.get('/api/auth/sessions')
  const id = (...ids: number[]) => new RegExp(`"(?:id|order_id)":(?:${ids.join('|')})\\b`)
  const secrets: Secret[] = [
    ['the e-mail', new RegExp(owner.user.email, 'i'), 'GET /api/auth/'],
    ['a device', id(devices.sessions[0].id), 'GET /api/auth/sessions'],
    ['a passkey', id(world.passkey), 'GET /api/auth/passkeys'],
    ['a cart line', id(line, other), 'GET /api/cart_items/:id'],
    ['what is in the cart', /"quantity":23\b|Wanted by one/, 'GET /api/cart_items/:id'],
    ['how much is in the cart', /"in_cart":25\b/, 'GET /api/auth/session'],
    ['a favourite', /Dreamt of by one/, 'GET /api/favourites/'],
    ['a saved id', new RegExp(`\\[(?:\\d+,)*${saved!.id}\\b`), 'GET /api/favourites/ids'],
    ['an order', id(world.order, order), 'GET /api/orders/'],
    ['what was ordered', /"quantity":29\b|A jug until Tuesday/, 'GET /api/orders/'],
    ['an order item', id(order), 'GET /api/orders/order-items/:any'],
  ]
  return { world: { ...world, line }, secrets }
}

/** The same world with one id everywhere, to try each id in every call. */
const aimedAt = (world: World, id: number): World => ({
  owner: { user: { ...world.owner.user, id } } as World['owner'],
  listing: id,
  line: id,
  order: id,
  review: id,
  session: id,
  passkey: id,
})

/** Every call by a visitor and a stranger with the owner's ids; and by the owner. */
export async function othersData(shop: Shop): Promise<Outcome> {
  const faults = new Faults()
  const { world, secrets } = await openSecrets(shop)
  const { owner, listing, line, order, review, session, passkey } = world
  const before = JSON.stringify(await stateOf(world))
  const keys = (calls: object) => Object.keys(calls).sort().join()
  faults.expect(keys(await allCalls()) === keys(everyCall), 'a call is left out')
  const [refusals, others]: Answer[][] = [[], []]
  const known = await shop.signUp('stranger')
  for (const [key, call] of Object.entries(everyCall)) {
    // Calls about the caller are made by a new user; logins replace the session.
    const stranger = /own|door/.test(reachesFor(key)) ? await shop.signUp('stranger') : known
    const ids = [listing, line, order, review, session, passkey, owner.user.id, 999_999_999]
    for (const id of key.includes(':') ? ids : [listing]) {
      for (const [role, person] of Object.entries({ visitor: shop.visitor(), stranger })) {
        const answer = await call(person, aimedAt(world, id))
        const description = `${key} by a ${role} at ${id}`
        const allowed = allowedTo(role as 'visitor' | 'stranger', key, id === listing)
        faults.expect(allowed.includes(answer.status), `${description}: ${answer.status}`)
        if (answer.status >= 400)
          faults.expect(isBare(answer), `${description} tells ${JSON.stringify(answer.body)}`)
        if (allowed.every(status => REFUSALS.includes(status))) refusals?.push(answer)
        else others?.push(answer)
        for (const name of leaks(answer, key, secrets)) faults.expect(false, `${description} tells ${name}`)
      }
    }
  }
  faults.expect(JSON.stringify(await stateOf(world)) === before, 'what the owner has was changed')
  await checkOwner(shop, { world, secrets }, faults)
  return faults.outcome(
    `${Object.keys(everyCall).length} calls by a visitor and a stranger at every id of the owner’s: ${formatCounts(countStatuses(refusals ?? []))} without data; ${others?.length} responses of public calls (${OPEN.size} of them) or the caller’s own; ${secrets.length} kinds of secrets in none of them, nothing changed; the owner gets every response with every secret`,
  )
}

const REFUSALS = [401, 403, 404]

function reachesFor(key: string): 'what is open' | 'a door' | 'their own' | 'what is somebody’s' {
  if (OPEN.has(key)) return 'what is open'
  if (key in DOORS) return 'a door'
  return key in OWN_STATUS ? 'their own' : 'what is somebody’s'
}

/** Allowed statuses for others than the owner. @param there whether the id exists */
function allowedTo(role: 'visitor' | 'stranger', key: string, there: boolean): number[] {
  // Sellers have usernames instead of ids, and one call takes any number.
  const missing = key.includes(':') && !/:(username|any)/.test(key) && !there
  switch (reachesFor(key)) {
    case 'what is open':
      return [missing ? 404 : 200]
    case 'a door':
      return [DOORS[key] ?? 0]
    case 'their own':
      // A visitor has no review: 200 with null.
      if (role === 'visitor') return [key.endsWith('/own') ? 200 : 401]
      return [missing ? 404 : (OWN_STATUS[key] ?? 0)]
    default:
      return role === 'visitor' ? [401] : [403, 404]
  }
}

/** Whether a refusal has only a message. */
function isBare({ body }: Answer): boolean {
  const isText = (value: unknown) => typeof value === 'string'
  const { message, errors, ...fields } = body ?? {}
  return Object.keys(fields).length === 0
    ? isText(message) && Array.isArray(errors) && errors.every(isText)
    : message === undefined && errors === undefined && Object.values(fields).every(isText)
}

/** Private data in a response. In lists of public listings the owner's favourites may appear. */
function leaks({ body }: Answer, key: string, secrets: Secret[]): string[] {
  const text = JSON.stringify(body) ?? ''
  const hash = /argon2|password_hash|token/i.test(text) ? ['a hash or a token'] : []
  const found = secrets.filter(([, pattern]) => pattern.test(text)).map(([name]) => name)
  return [...hash, ...found.filter(name => !OPEN.has(key) || !WISHES.has(name))]
}
const WISHES = new Set(['what is in the cart', 'a favourite', 'a saved id'])

/** The owner makes every call: each succeeds, and returns the private data where it should. */
async function checkOwner(
  shop: Shop,
  { world, secrets }: { world: World; secrets: Secret[] },
  faults: Faults,
): Promise<void> {
  const calls = await allCalls()
  const isRead = (key: string) => key.startsWith('GET ') && !key.includes('logout')
  // Calls that end something or lower the stock get a world of their own.
  const ends = (key: string) => /^DELETE|^PUT \/api\/products|\/(auth|account)\//.test(key) && !isRead(key)
  const changed = await openWorld(shop)
  for (const [key, call] of Object.entries(everyCall)) {
    const own = isRead(key) ? world : ends(key) ? await openWorld(shop) : changed
    const { status, body } = await call(own.owner, own)
    const expected = OWNERS[key] ?? calls[key]?.status ?? 200
    faults.expect(status === expected, `${key} by the owner: ${status}`)
    for (const [name, pattern, source] of secrets)
      if (source === key) faults.expect(pattern.test(JSON.stringify(body)), `the owner does not get ${name}`)
  }
}
/** Calls that refuse even the owner: wrong password, unknown link, existing review, running order, wrong signature. */
const OWNERS: Record<string, number> = {
  'POST /api/auth/login': 401,
  'POST /api/auth/login/passkey': 401,
  'POST /api/auth/reset-password/check': 410,
  'POST /api/auth/reset-password': 410,
  'POST /api/auth/confirm-email': 400,
  'POST /api/reviews/:productId/create-review': 409,
  'POST /api/account/deletion': 409,
  'GET /api/letters/off/:token': 403,
  'POST /api/letters/off/:token': 403,
}

export const scenario: Scenario = {
  risk: 'access to others’ data',
  promise: 'every call × visitor, owner, stranger × ids: 401, 403 or 404, never data',
  tested: true,
  run: () => withShop({}, othersData),
}
