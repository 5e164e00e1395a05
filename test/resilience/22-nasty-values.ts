import type { Call } from '#contract'
import { fieldsOf, goodFor } from '../support/arbitraries.ts'
import { everyCall, openWorld, stateOf, type World } from '../support/fixtures.ts'
import { withShop } from '../support/harness.ts'
import { operateKeys } from '../support/operators.ts'
import { newcomer, type Person, type Shop, type TestResponse } from '../support/person.ts'
import * as nasty from '../support/resilience/boundary-values.ts'
import {
  allCalls,
  DELETION,
  documentedParameters,
  isSigned,
  type Parameter,
} from '../support/resilience/calls.ts'
import { fittingId } from '../support/resilience/generated-requests.ts'
import { Faults, type Outcome, type Scenario } from '../support/scenario.ts'

/** A request to one call with its sender's own ids, unless an id is given. */
interface Attack {
  id?: string
  query?: string
  headers?: Record<string, string>
  payload?: string
}

/** A valid input of a call, and the parameter of its path. */
interface Target {
  key: string
  call: Call
  parameters: Parameter[]
  ids: Record<string, string>
  good: Record<string, unknown>
}

/**
 * Malicious values in every field, path, query, header, body and type of every call: 4xx, and nothing changed. A
 * read may ignore a value that it does not use. At the end valid values must work.
 */
export async function nastyValues(shop: Shop): Promise<Outcome> {
  const faults = new Faults()
  const world = await openWorld(shop)
  const { owner } = world
  const unreviewed = await shop.list(owner)
  const before = JSON.stringify(await stateOf(world))
  const targets = await targetsOf(world, unreviewed.id)
  let refused = 0
  let harmless = 0
  for (const target of targets) {
    for (const attack of attacksOn(target)) {
      const { status, body } = await send(owner, target, attack)
      refused++
      const description = `${target.key} ${JSON.stringify(attack).slice(0, 200)}: ${status} ${JSON.stringify(body).slice(0, 200)}`
      faults.expect(status >= 400 && status < 500, description)
    }
    for (const attack of harmlessTo(target)) {
      // An unknown cookie may end the session of its sender.
      const person = shop.visitor()
      person.cookie = owner.cookie
      const { status } = await send(person, target, attack)
      harmless++
      faults.expect(status < 500, `${target.key} ${JSON.stringify(attack).slice(0, 200)}: ${status}`)
    }
  }
  faults.expect(JSON.stringify(await stateOf(world)) === before, 'something has changed')
  for (const target of targets.filter(({ call }) => call.body)) {
    const { key } = target
    // A login replaces the session.
    const person = needsLogin(key) ? owner : shop.visitor()
    // A passkey’s answer is signed. The login has one of an unknown passkey, and a reset an unknown link.
    const { status, body } = isSigned(key)
      ? await everyCall[key]!(person, world)
      : await send(person, target, {})
    // The owner has a running order, which keeps the account from being deleted.
    const refusal = {
      [DELETION]: 409,
      'POST /api/auth/login/passkey': 401,
      'POST /api/auth/confirm-email': 400,
      'POST /api/auth/reset-password/check': 410,
      'POST /api/auth/reset-password': 410,
      // Two fields of which one is needed.
      'POST /api/products/bulk/preview': 400,
      // Another section has the name by then.
      'PUT /api/sections/:sectionId': 409,
      // Nothing is sent yet.
      'POST /api/orders/:orderId/received': 404,
      'POST /api/sales/:orderId/parcels/:eventId/tracking': 404,
      // Everything of the order is sent by then.
      'POST /api/sales/:orderId/ready': 409,
      'POST /api/sales/:orderId/collected': 409,
      'POST /api/sales/:orderId/cancel': 409,
      'POST /api/sales/:orderId/events/:eventId/undo': 404,
      // Everybody may sell here, and this is no code.
      'POST /api/selling/application': 409,
      'POST /api/selling/invitation': 400,
      // Nobody writes to themselves.
      'POST /api/messages/to/:username': 409,
      // With an unknown link.
      'POST /api/setup': 410,
      // Nothing is decided about the owner.
      'POST /api/notices/:decisionId/objection': 404,
      ...Object.fromEntries(operateKeys.map(key => [key, 404])),
    }[key]
    const isFine = refusal === undefined ? status < 300 : status === refusal
    faults.expect(isFine, `without anything nasty ${key}: ${status} ${JSON.stringify(body)}`)
  }
  return faults.outcome(
    `${refused} requests, all answered 4xx; ${harmless} reads with unknown cookies, headers and queries: no 5xx; nothing changed`,
  )
}

async function targetsOf(world: World, unreviewed: number): Promise<Target[]> {
  const { owner, listing, line, order, review, session, passkey, profile, section, address, draft } = world
  const { pending, conversation } = world
  const ids = {
    ...{ owner: owner.user.id, listing, line, order, review, session, passkey },
    ...{ profile, section, address, draft, pending, conversation },
    maker: encodeURIComponent(owner.user.username),
  }
  const texts = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)]))
  const parameters = await documentedParameters()
  return Object.entries(await allCalls()).map(([key, call]) => ({
    key,
    call,
    parameters: parameters[key] ?? [],
    ids: key.endsWith('create-review') ? { ...texts, listing: String(unreviewed) } : texts,
    // An existing account for login, or a new one.
    good: { ...goodFor(call), reviews: 'keep', ...(key.endsWith('login') ? owner.user : newcomer('new')) },
  }))
}

function send(
  person: Person,
  target: Target,
  { id, query = '', headers = {}, payload }: Attack,
): Promise<TestResponse> {
  const { key, call, ids } = target
  const [method = '', path = ''] = key.split(' ')
  const url =
    path.replace(/:\w+/, () => id ?? ids[fittingId(key)] ?? '').replace(':eventId', '999999999') + query
  const body = payload ?? (call.body ? bodyWith(target) : undefined)
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const sent = { method: method as 'POST', url, headers: { ...type, ...headers } }
  return person.send(body === undefined ? sent : { ...sent, payload: body })
}

/** The JSON of a valid input, with at most one field replaced. */
function bodyWith({ call, good }: Target, nasty?: [field: string, value: string]): string {
  const required = fieldsOf(call).flatMap(([name, required]) => (required ? [name] : []))
  const fields = Object.fromEntries(required.map(name => [name, JSON.stringify(good[name])]))
  const all = { ...fields, ...(nasty ? { [nasty[0]]: nasty[1] } : {}) }
  return `{${Object.entries(all)
    .map(([name, json]) => `${JSON.stringify(name)}:${json}`)
    .join(',')}}`
}

const changes = (key: string) => !key.startsWith('GET ')

/** Requests that must be refused. */
function attacksOn(target: Target): Attack[] {
  const { key, call, parameters } = target
  const paths = nasty.ids.filter(id => namesNothing(key, id)).map(id => ({ id }))
  const queries = parameters
    .filter(({ in: place }) => place === 'query')
    .flatMap(one => nasty.queriesFor(one).map(query => ({ query })))
  const headers = parameters
    .filter(({ in: place }) => place === 'header')
    .flatMap(one => nasty.textsAgainst(one).map(value => ({ headers: { [one.name]: value } })))
  if (!changes(key)) return [...paths, ...queries]
  const fields = fieldsOf(call).flatMap(([name]) =>
    nasty.values
      .filter(value => !isMeant(call, name, value))
      .map(value => ({ payload: bodyWith(target, [name, value]) })),
  )
  // Other fields are ignored.
  const needsFields = fieldsOf(call).some(([, required]) => required)
  const bodies = [...nasty.bodies, ...(needsFields ? [nasty.DEEP] : [])].map(payload => ({ payload }))
  const types = nasty.types.map(type => ({
    headers: { 'content-type': type },
    payload: bodyWith(target),
  }))
  const forms = call.consumes === 'multipart' ? nasty.forms : []
  const withCookies = needsLogin(key) ? nasty.cookies.map(cookie => ({ headers: { cookie } })) : []
  return [...paths, ...queries, ...headers, ...fields, ...bodies, ...types, ...forms, ...withCookies]
}

/** Some fields may be null, some are true or false, and some are lists of ids. */
const isMeant = ({ body }: Call, name: string, value: string) => {
  const rule = body?.shape[name] as Call['body']
  return ['null', 'true', '[2]'].includes(value) && rule?.safeParse(JSON.parse(value)).success === true
}

/** Usernames may have any 3 to 30 characters, and the number of the order items is ignored. */
const namesNothing = (key: string, id: string) =>
  key.includes(':username') ? /%|^(.{1,2}|.{31,})$/.test(id) : /:(?!any\b)/.test(key)

const needsLogin = (key: string) =>
  !/auth\/(login|signup|forgotten-password|reset-password)$|api\/country$|\/reports$/.test(key)

/** Values that calls ignore: unknown query parameters, unknown cookies, and arbitrary headers. */
function harmlessTo({ key }: Target): Attack[] {
  if (key.endsWith('/logout')) return []
  if (!changes(key))
    return [
      ...nasty.strayQueries.map(query => ({ query })),
      ...nasty.cookies.map(cookie => ({ headers: { cookie } })),
      ...nasty.headers.map(headers => ({ headers })),
    ]
  // Saved already: the body is ignored, and nothing changes.
  return key === 'PUT /api/favourites/:productId' ? [{ payload: nasty.DEEP }] : []
}

export const scenario: Scenario = {
  risk: 'malicious values',
  promise:
    'NUL, lone surrogates, id 2^63, __proto__, 10,000 levels of nesting, unusual content types, true or [2] as a quantity: 4xx, nothing changed',
  tested: true,
  run: () => withShop({}, nastyValues),
}
