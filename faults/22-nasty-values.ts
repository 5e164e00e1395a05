import type { Call } from '#contract'
import type { Answer, Person, Shop } from '../test/person.ts'
import { openWorld, stateOf, type World } from '../test/world.ts'
import { allCalls } from './calls.ts'
import { withShop } from './ground.ts'
import { Faults, type Outcome, type Row } from './row.ts'

/** JSON of what nobody types into any field. */
const values = [
  '"a\\u0000b"',
  '"\\ud83e"',
  '"\\udfff\\ud800"',
  'true',
  '[2]',
  '{"$ne":1}',
  '{"toString":1}',
  '1e400',
  '-1',
  '1e21',
  'null',
]
const LEVELS = 10_000
/** Bodies that are none. */
const bodies = [
  `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`,
  `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`,
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{',
  '[]',
  'true',
  '"text"',
]
const types = [
  'text/plain',
  'application/xml',
  'banana',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
]
const ids = [
  '9223372036854775808',
  '9007199254740992',
  '-1',
  '0',
  '1.5',
  '__proto__',
  '%00',
  '%ED%A0%80',
  'true',
  '[2]',
]

/** Nasty values in every field, path, body and type of every call: 4xx, and nothing changed. */
export async function nastyValues(shop: Shop): Promise<Outcome> {
  const faults = new Faults()
  const world = await openWorld(shop)
  const before = JSON.stringify(await stateOf(world))
  let tried = 0
  for (const [key, call] of Object.entries(await allCalls())) {
    for (const attack of attacksOn(key, call, world)) {
      const { status, body } = await attack(world.owner)
      tried++
      faults.expect(status >= 400 && status < 500, `${key}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
    }
  }
  faults.expect(JSON.stringify(await stateOf(world)) === before, 'something has changed')
  return faults.outcome(`${tried} requests, all answered 4xx, nothing changed`)
}

function attacksOn(key: string, call: Call, world: World): ((person: Person) => Promise<Answer>)[] {
  const [method = '', path = ''] = key.split(' ')
  const aimed = (id: string | number) => path.replace(/:\w+/, String(id))
  const send =
    (url: string, payload: string, type = 'application/json') =>
    (person: Person) =>
      person.send({ method: method as 'POST', url, headers: { 'content-type': type }, payload })
  // A name may be anything that somebody could have chosen, and a number that means nothing may be anything.
  const byId = /:(id|productId|orderId)\b/.test(path)
  const paths = byId
    ? ids.map(id => (person: Person) => person.send({ method: method as 'GET', url: aimed(id) }))
    : []
  const fields = Object.keys((call.body as { shape?: object } | undefined)?.shape ?? {})
  if (fields.length === 0) return paths
  const own = aimed(
    path.includes('cart_items/:')
      ? world.line
      : path.includes('review/')
        ? world.review
        : path.includes(':username')
          ? world.owner.user.username
          : world.listing,
  )
  const required = fields.filter(field => !call.body?.safeParse(withOnly(field, fields)).success)
  const each = required.flatMap(field => values.map(value => send(own, bodyWith(field, value))))
  return [
    ...paths,
    ...each,
    ...bodies.map(body => send(own, body)),
    ...types.map(type => send(own, '{}', type)),
  ]
}

/** A body that lacks one field: where the call takes it all the same, anything may stand there. */
const withOnly = (missing: string, fields: string[]) =>
  Object.fromEntries(fields.filter(field => field !== missing).map(field => [field, good[field]]))

const good: Record<string, unknown> = {
  ...{
    email: 'eve@example.com',
    first_name: 'Eve',
    last_name: 'Adams',
    username: 'evelyn',
    password: 'secret-1',
  },
  ...{ name: 'Mug', category: 'Home & Living', description: 'Blue', price: 9.5, stock: 3 },
  ...{ quantity: 1, review: 'Fine', stars: 4 },
}

function bodyWith(field: string, value: string): string {
  const others = Object.entries(good).filter(([name]) => name !== field)
  return `{${others.map(([name, good]) => `${JSON.stringify(name)}:${JSON.stringify(good)}`).join(',')},${JSON.stringify(field)}:${value}}`
}

export const row: Row = {
  risk: 'nasty values',
  promise:
    'NUL, lone surrogates, id 2^63, __proto__, 10,000 levels of nesting, odd content types, true or [2] as a quantity: 4xx, nothing changed',
  run: () => withShop({}, nastyValues),
}
