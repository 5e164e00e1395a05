import { afterAll, beforeAll, expect, test } from 'vitest'
import { fieldsOf } from '../support/arbitraries.ts'
import { expected } from '../support/call-statuses.ts'
import { everyCall, isRead, openWorld, stateOf, type World } from '../support/fixtures.ts'
import type { Sent } from '../support/person.ts'
import { allCalls } from '../support/resilience/calls.ts'
import type { TestResponse } from '../support/shop.ts'
import { aMug, openShop, type Person, type TestShop } from '../support/shop.ts'

const contracts = await allCalls()

let shop: TestShop
let world: World
/** The owner's data: no request in this file may change it. */
let untouched: unknown
/** The data of an owner who has logged out, and the cookie of that session. */
let left: World
let endedCookie: string
beforeAll(async () => {
  shop = await openShop()
  // Postage profiles have ids of their own: none is that of an order or a cart line.
  await shop.rows(`select setval('ids', 7000000)`)
  world = await openWorld(shop)
  untouched = await stateOf(world)
  left = await openWorld(shop)
  endedCookie = left.owner.cookie
  await left.owner.get('/api/auth/logout')
})
afterAll(() => shop.close())

/** Nothing private of the owner in the response; every refusal in its documented format. */
function expectDiscreet(key: string, { status, body }: TestResponse, { owner, order, line }: World) {
  const text = JSON.stringify(body)
  expect(text).not.toContain(owner.user.email)
  expect(text).not.toMatch(/argon2|password_hash|token/i)
  // The batch repeats the numbers that were sent.
  if (key !== 'POST /api/sales/batch')
    expect(text).not.toMatch(new RegExp(`"(id|order_id)":(${order}|${line})\\b`))
  if (status < 400) return
  if (key === 'POST /api/auth/login') return expect(Object.keys(body)).toEqual(['password'])
  expect(body).toEqual({ message: expect.any(String), errors: expect.any(Array) })
  expect(body.errors[0]).toBe(body.message)
}

async function reach(key: string, person: Person, status: number | undefined) {
  const response = await everyCall[key]!(person, world)
  expect(response.status).toBe(status)
  expectDiscreet(key, response, world)
  await expectUntouched(key)
}

/** The owner's data is as before. It is twenty requests, so what a read has changed is noticed after the next change. */
async function expectUntouched(key: string) {
  if (!isRead(key)) expect(await stateOf(world)).toEqual(untouched)
}

test('every call is in the table, and every route has a contract', async () => {
  const all = Object.keys(contracts).sort()
  expect(Object.keys(expected).sort()).toEqual(all)
  expect(Object.keys(everyCall).sort()).toEqual(all)
  expect([...shop.app.calls.keys()].sort()).toEqual(all)
})

test.each(Object.keys(expected))('%s as a visitor', async key => {
  await reach(key, shop.visitor(), expected[key]?.[0])
})

test.each(Object.keys(expected))('%s as a stranger', async key => {
  await reach(key, await shop.signUp('stranger'), expected[key]?.[2])
})

test.each(Object.keys(expected))('%s as the owner', async key => {
  // Most calls change something.
  const own = isRead(key) ? world : await openWorld(shop)
  const { status, body } = await everyCall[key]!(own.owner, own)
  expect(status).toBe(expected[key]?.[1])
  expect(JSON.stringify(body)).not.toMatch(/argon2|password_hash|token/i)
  // The challenge of a new passkey has the name of the account.
  const showOwnAddress = [
    'GET /api/auth/',
    'GET /api/auth/session',
    'GET /api/auth/email',
    'POST /api/auth/passkeys/challenge',
    'PUT /api/account/names',
  ]
  if (!showOwnAddress.includes(key)) expect(JSON.stringify(body)).not.toContain(own.owner.user.email)
})

test.each(Object.keys(expected))('%s after logging out', async key => {
  left.owner.cookie = endedCookie
  const { status } = await everyCall[key]!(left.owner, left)
  expect(status).toBe(expected[key]?.[0])
})

/** Everybody may report the review of the owner, which is one of these ids. */
const isOpen = (key: string) =>
  key.includes(':any') || /^POST \/api\/reviews\/:id\/(?:reply\/)?reports$/.test(key)

test.each(Object.keys(expected).filter(key => key.includes(':') && !isOpen(key)))(
  '%s with unknown ids and ids of other kinds',
  async key => {
    const stranger = await shop.signUp('stranger')
    for (const id of [999_999_999, world.owner.user.id, world.order, world.line, world.review]) {
      const nothing = {
        owner: { user: { id, username: `nobody-${id}` } } as Person,
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
        pending: id,
        image: id,
        conversation: id,
      }
      const response = await everyCall[key]!(stranger, nothing)
      expect([403, 404]).toContain(response.status)
      expectDiscreet(key, response, world)
    }
    await expectUntouched(key)
  },
)

type Change = (request: Sent) => Partial<Sent>

/** Kinds of broken input of a call, and whether it must be refused. */
function brokenInputs(key: string): [name: string, change: Change, isNoticed: boolean][] {
  const call = contracts[key]!
  const bad = { limit: 'none', stars: '9', cursor: '!', id: 'x' }
  const query: Change = ({ url }) => ({ url: `${url}?${new URLSearchParams(bad)}` })
  if (key.startsWith('GET ')) return [['query', query, false]]
  const body =
    (json: unknown): Change =>
    () => ({ payload: JSON.stringify(json) })
  const wrong = Object.fromEntries(fieldsOf(call).map(([field]) => [field, [{}]]))
  const names = {
    'idempotency-key': ' ',
    'expected-version': '?',
    'expected-total': 'much',
    'expected-items': 'all',
  }
  const headers: Change = request => ({ headers: { ...request.headers, ...names } })
  const type: Change = request => ({ headers: { ...request.headers, 'content-type': 'application/json' } })
  return [
    ['what is no JSON', () => ({ payload: '{"' }), true],
    ['what is no object', body([1]), true],
    ['nothing', () => ({ payload: '' }), false],
    ['wrong values', body(wrong), call.body !== undefined || call.consumes === 'multipart'],
    ['another id', body({ ...aMug, id: 999_999_999 }), false],
    ['headers', headers, false],
    ...(call.consumes === 'multipart' ? [['no form', type, true] as [string, Change, boolean]] : []),
  ]
}

const isRefused = (key: string, status: number | undefined) =>
  [401, 403, 404].includes(status ?? 0) && !key.startsWith('POST /api/auth/login')

/** Without permission the refusal is as usual; with it, the input is refused. */
async function reachWithBrokenInput(key: string, someone: () => Promise<Person>, status: number | undefined) {
  const usual = isRefused(key, status) ? await everyCall[key]!(await someone(), world) : undefined
  for (const [name, change, isNoticed] of brokenInputs(key)) {
    const person = await someone()
    const send = person.send.bind(person)
    person.send = request => send({ ...request, ...change(request) })
    const response = await everyCall[key]!(person, world)
    if (usual) expect([name, response.status, response.body]).toEqual([name, status, usual.body])
    else if (isNoticed) expect([name, response.status]).toEqual([name, name === 'no form' ? 415 : 400])
  }
  await expectUntouched(key)
}

/** All calls but public reads. */
const takingInput = (column: 0 | 2) =>
  Object.keys(expected).filter(key => !key.startsWith('GET ') || isRefused(key, expected[key]?.[column]))

test.each(takingInput(0))('%s with broken input as a visitor', async key => {
  await reachWithBrokenInput(key, async () => shop.visitor(), expected[key]?.[0])
})

test.each(takingInput(2))('%s with broken input as a stranger', async key => {
  await reachWithBrokenInput(key, () => shop.signUp('stranger'), expected[key]?.[2])
})

test('no read has changed anything', async () => {
  expect(await stateOf(world)).toEqual(untouched)
})
