import { everyCall, openWorld, stateOf, type World } from '../support/fixtures.ts'
import { withShop } from '../support/harness.ts'
import { countStatuses, type Shop, type TestResponse } from '../support/person.ts'
import { allowedTo, OPEN, OWNERS, REFUSALS, reachesFor } from '../support/resilience/access-rules.ts'
import { allCalls } from '../support/resilience/calls.ts'
import { Faults, formatCounts, type Outcome, type Scenario } from '../support/scenario.ts'

/** Private data: its name, its pattern in a response, and the owner's call that returns it. */
type Secret = [name: string, pattern: RegExp, source: string]

interface ShopWithRows extends Shop {
  rows(statement: string): Promise<unknown>
}

/** A user with one of everything, including private data that no public listing contains. */
async function openSecrets(shop: ShopWithRows): Promise<{ world: World; secrets: Secret[] }> {
  // A postage profile has a number of another sequence: it must not be that of an order.
  await shop.rows(`select setval('ids', 1000000)`)
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
  profile: id,
  section: id,
  address: id,
  draft: id,
  image: id,
  pending: id,
  conversation: id,
})

/** Every call by a visitor and a stranger with the owner's ids; and by the owner. */
export async function othersData(shop: ShopWithRows): Promise<Outcome> {
  const faults = new Faults()
  const { world, secrets } = await openSecrets(shop)
  const { owner, listing, line, order, review, session, passkey, address, draft } = world
  const before = JSON.stringify(await stateOf(world))
  const keys = (calls: object) => Object.keys(calls).sort().join()
  faults.expect(keys(await allCalls()) === keys(everyCall), 'a call is left out')
  const [refusals, others]: TestResponse[][] = [[], []]
  const known = await shop.signUp('stranger')
  for (const [key, call] of Object.entries(everyCall)) {
    // Calls about the caller are made by a new user; logins replace the session.
    const stranger = /own|door/.test(reachesFor(key)) ? await shop.signUp('stranger') : known
    const ids = [listing, line, order, review, session, passkey, address, draft, owner.user.id, 999_999_999]
    for (const id of key.includes(':') ? ids : [listing]) {
      for (const [role, person] of Object.entries({ visitor: shop.visitor(), stranger })) {
        const answer = await call(person, aimedAt(world, id))
        const description = `${key} by a ${role} at ${id}`
        const isThere = id === (key.includes('reviews/:id') ? review : listing)
        const allowed = allowedTo(role as 'visitor' | 'stranger', key, isThere)
        faults.expect(allowed.includes(answer.status), `${description}: ${answer.status}`)
        if (answer.status >= 400)
          faults.expect(isBare(answer), `${description} returns ${JSON.stringify(answer.body)}`)
        if (allowed.every(status => REFUSALS.includes(status))) refusals?.push(answer)
        else others?.push(answer)
        for (const name of leaks(answer, key, secrets)) faults.expect(false, `${description} returns ${name}`)
      }
    }
  }
  faults.expect(JSON.stringify(await stateOf(world)) === before, 'what the owner has was changed')
  await checkOwner(shop, { world, secrets }, faults)
  return faults.outcome(
    `${Object.keys(everyCall).length} calls by a visitor and a stranger at every id of the owner’s: ${formatCounts(countStatuses(refusals ?? []))} without data; ${others?.length} responses of public calls (${OPEN.size} of them) or the caller’s own; ${secrets.length} kinds of secrets in none of them, nothing changed; the owner gets every response with every secret`,
  )
}

/** Whether a refusal has only a message. */
function isBare({ body }: TestResponse): boolean {
  const isText = (value: unknown) => typeof value === 'string'
  const { message, errors, ...fields } = body ?? {}
  return Object.keys(fields).length === 0
    ? isText(message) && Array.isArray(errors) && errors.every(isText)
    : message === undefined && errors === undefined && Object.values(fields).every(isText)
}

/** Private data in a response. In lists of public listings the owner's favourites may appear. */
function leaks({ body }: TestResponse, key: string, secrets: Secret[]): string[] {
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

export const scenario: Scenario = {
  risk: 'access to others’ data',
  promise: 'every call × visitor, owner, stranger × ids: 401, 403 or 404, never data',
  tested: true,
  run: () => withShop({}, othersData),
}
