import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Person } from '../test/person.ts'
import { crowdOf } from './01-overselling.ts'
import { type RealShop, withShop } from './ground.ts'
import { Faults, milliseconds, percentile, type Row, type Target } from './row.ts'

const TIMES = 10
const MEASURE_MS = 4_000
const LOAD_MS = 10_000
/** Milliseconds that an accepted request may take, 99 of 100. */
const ACCEPTED_MS = 1_000
const NORMAL_MS = 2_000

type Ask = () => Promise<Answer>
interface Seen {
  status: number
  took: number
  retryAfter: boolean
}

/** What people do in a shop, in this proportion: pages of their own, their cart, their orders, a look at a listing. */
function waysOf(shop: Target, crowd: Person[], id: number): Ask[] {
  const visitor = shop.visitor()
  return crowd.flatMap(person => [
    () => person.get('/cart', { accept: 'text/html' }),
    () => person.post(`/api/cart_items/add/${id}`, { quantity: 1 }),
    () => person.get('/api/orders/'),
    () => visitor.get(`/products/${id}`, { accept: 'text/html' }),
  ])
}

async function timed(ask: Ask, scheduled = performance.now()): Promise<Seen> {
  const { status, headers } = await ask().catch(() => ({ status: 0, headers: {} as Answer['headers'] }))
  return { status, took: performance.now() - scheduled, retryAfter: Number(headers['retry-after']) > 0 }
}

/** Requests a second that are answered when 32 people ask one after the other without pause. */
async function capacityOf(ways: Ask[]): Promise<number> {
  let answered = 0
  let asking = true
  const loops = Array.from({ length: 32 }, async (_, n) => {
    for (let at = n; asking; at += 32) {
      await ways[at % ways.length]!()
      answered++
    }
  })
  await sleep(1_000)
  const before = answered
  await sleep(MEASURE_MS)
  const perSecond = ((answered - before) * 1_000) / MEASURE_MS
  asking = false
  await Promise.all(loops)
  return perSecond
}

/** Asks at this rate whatever is answered, as people who do not know of each other do. */
async function openLoop(ways: Ask[], perSecond: number): Promise<Seen[]> {
  const began = performance.now()
  const under: Promise<Seen>[] = []
  for (let now = 0; now < LOAD_MS; now = performance.now() - began) {
    while (under.length < (now / 1_000) * perSecond) {
      const scheduled = began + (under.length / perSecond) * 1_000
      under.push(timed(ways[under.length % ways.length]!, scheduled))
    }
    await sleep(2)
  }
  return Promise.all(under)
}

/** Milliseconds after which everything is answered well and quickly again. */
async function normalAfter(shop: RealShop, ways: Ask[]): Promise<number> {
  const began = performance.now()
  let last = began
  while (performance.now() - began < 2 * NORMAL_MS) {
    for (const ask of ways.slice(0, 4)) {
      const { status, took } = await timed(ask)
      if (status >= 400 && status !== 409) last = performance.now()
      if (took > 300) last = performance.now()
    }
    await sleep(50)
  }
  return shop.alive() ? last - began : Number.POSITIVE_INFINITY
}

export const row: Row = {
  risk: '10 × overload',
  promise:
    'open loop at 10 times the capacity: accepted p99 under 1 s, the rest 503 with Retry-After, normal within 2 s',
  run: () =>
    withShop({ LOG_LEVEL: 'warn' }, async shop => {
      const faults = new Faults()
      const crowd = await crowdOf(shop, 40)
      const { id } = await shop.list(crowd[0]!, { stock: 900_000 })
      const ways = waysOf(shop, crowd, id)
      const capacity = await capacityOf(ways)
      const seen = await openLoop(ways, TIMES * capacity)
      const normal = await normalAfter(shop, ways)
      const turnedAway = seen.filter(({ status }) => status === 503)
      const accepted = seen.filter(({ status }) => status !== 503)
      const odd = accepted.filter(({ status }) => ![200, 201, 409].includes(status))
      const p99 = percentile(
        99,
        accepted.map(({ took }) => took),
      )
      faults.expect(p99 < ACCEPTED_MS, 'those who were let in waited too long')
      faults.expect(odd.length === 0, `${odd.length} other answers, such as ${odd[0]?.status}`)
      faults.expect(
        turnedAway.every(({ retryAfter }) => retryAfter),
        'a 503 without Retry-After',
      )
      faults.expect(turnedAway.length > 0, 'nobody was turned away: the load was too light to show anything')
      faults.expect(normal < NORMAL_MS, 'not normal in time')
      return faults.outcome(
        `capacity ${Math.round(capacity)}/s; at ${Math.round(seen.length / (LOAD_MS / 1000))}/s ${accepted.length} of ${seen.length} were let in with p99 ${milliseconds(p99)}, the rest 503 with Retry-After (p99 ${milliseconds(
          percentile(
            99,
            turnedAway.map(({ took }) => took),
          ),
        )}); normal after ${milliseconds(normal)}`,
      )
    }),
}
