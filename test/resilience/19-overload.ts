import { type RealShop, withShop } from '../support/harness.ts'
import type { Person } from '../support/person.ts'
import { flood, onTheWire, type Plan, type RequestResult } from '../support/resilience/flood.ts'
import { Faults, milliseconds, percentile, type Scenario } from '../support/scenario.ts'
import { signUpMany } from './01-overselling.ts'

const TIMES = 10
const MEASURE_MS = 4_000
const LOAD_MS = 10_000
/** Limit for p99 of admitted requests, ms. */
const ACCEPTED_MS = 1_000
const NORMAL_MS = 2_000
/** Limit for a response under normal load, ms. */
const SLOW_MS = 300
/** Limit for p99 of the load generator's own delay, ms: otherwise it would measure itself. */
const MAX_DELAY_MS = 100

/** A mix of typical requests: own pages, cart, orders, listings. */
function requestsOf(visitor: Person, users: Person[], id: number): string[] {
  const html = { accept: 'text/html' }
  const json = { 'content-type': 'application/json' }
  return users.flatMap(person => [
    onTheWire(person, { method: 'GET', url: '/cart', headers: html }),
    onTheWire(person, {
      method: 'POST',
      url: `/api/cart_items/add/${id}`,
      headers: json,
      payload: '{"quantity":1}',
    }),
    onTheWire(person, { method: 'GET', url: '/api/orders/' }),
    onTheWire(visitor, { method: 'GET', url: `/products/${id}`, headers: html }),
  ])
}

/** Requests per second with 32 connections in a closed loop. */
async function capacityOf(plan: Plan): Promise<number> {
  await flood({ ...plan, connections: 32, ms: 1_000 })
  const all = await flood({ ...plan, connections: 32, ms: MEASURE_MS })
  return (all.length * 1_000) / MEASURE_MS
}

/** Milliseconds until sequential requests succeed quickly again, and the last one that did not. */
async function normalAfter(shop: RealShop, plan: Plan): Promise<{ ms: number; last: string }> {
  const began = performance.now()
  const results = await flood({ ...plan, connections: 1, ms: 2 * NORMAL_MS })
  let now = performance.now() - began - results.reduce((sum, { took }) => sum + took, 0)
  let ms = 0
  let last = ''
  for (const [n, { status, took }] of results.entries()) {
    now += took
    if ((status >= 400 && status !== 409) || status === 0 || took > SLOW_MS) {
      ms = now
      last = `: ${status} after ${milliseconds(took)} to ${plan.requests[n % plan.requests.length]?.split(' HTTP')[0]}`
    }
  }
  return { ms: shop.alive() ? ms : Number.POSITIVE_INFINITY, last }
}

const p99 = (results: RequestResult[], of: (one: RequestResult) => number = ({ took }) => took) =>
  percentile(99, results.map(of))

export const scenario: Scenario = {
  risk: '10 × overload',
  timed: true,
  promise:
    'open-loop load at 10 times the capacity: p99 of admitted requests under 1 s, the rest 503 with Retry-After, normal within 2 s',
  run: () =>
    withShop({ LOG_LEVEL: 'warn' }, async shop => {
      const faults = new Faults()
      const users = await signUpMany(shop, 40)
      const { id } = await shop.list(users[0]!, { stock: 900_000 })
      const plan = { port: shop.port, requests: requestsOf(shop.visitor(), users, id), ms: LOAD_MS }
      const capacity = await capacityOf(plan)
      const results = await flood({ ...plan, perSecond: TIMES * capacity })
      const normal = await normalAfter(shop, plan)
      const refused = results.filter(({ status }) => status === 503)
      const accepted = results.filter(({ status }) => status !== 503)
      const odd = accepted.filter(({ status }) => ![200, 201, 409].includes(status))
      const delay = p99(results, one => one.delay)
      faults.expect(p99(accepted) < ACCEPTED_MS, 'admitted requests waited too long')
      faults.expect(odd.length === 0, `${odd.length} other responses, such as ${odd[0]?.status}`)
      faults.expect(
        refused.every(({ retryAfter }) => retryAfter > 0),
        'a 503 without Retry-After',
      )
      faults.expect(refused.length > 0, 'no request was refused: the load was too light to show anything')
      faults.expect(normal.ms < NORMAL_MS, `not normal in time${normal.last}`)
      faults.expect(
        delay < MAX_DELAY_MS,
        `the load generator was late by ${milliseconds(delay)}: no valid measurement`,
      )
      return faults.outcome(
        `capacity ${Math.round(capacity)}/s; at ${Math.round(results.length / (LOAD_MS / 1000))}/s ${accepted.length} of ${results.length} were admitted with p99 ${milliseconds(p99(accepted))}, the rest 503 with Retry-After (p99 ${milliseconds(p99(refused))}); normal after ${milliseconds(normal.ms)}; the load generator late by ${milliseconds(delay)}`,
      )
    }),
}
