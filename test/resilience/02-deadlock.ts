import { withShop } from '../support/harness.ts'
import { countStatuses, type Person } from '../support/person.ts'
import { each, Faults, formatCounts, type Outcome, type Scenario, type Target } from '../support/scenario.ts'
import { signUpMany } from './01-overselling.ts'

const PIECES = 10
/** Carts with the same ten listings in different orders, all checked out within `limit` ms. */
export async function deadlock(shop: Target, users: Person[], limit: number): Promise<Outcome> {
  const faults = new Faults()
  const seller = await shop.signUp('seller')
  const pieces: number[] = []
  for (let n = 0; n < PIECES; n++) pieces.push((await shop.list(seller, { stock: 10_000 })).id)
  await each(users.entries(), 20, async ([n, person]) => {
    // 3 and 10 have no common divisor: each listing once, from another start, every second cart backwards.
    const order = pieces.map((_, at) => pieces[(at * 3 + n) % PIECES])
    for (const id of n % 2 ? order.reverse() : order)
      await person.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  })
  const before = await deadlocksOf(shop)
  const began = performance.now()
  const responses = await Promise.all(users.map(person => person.post('/api/orders/checkout')))
  const took = performance.now() - began
  const counts = countStatuses(responses)
  const deadlocks = (await deadlocksOf(shop)) - before
  faults.expect(counts[201] === users.length, formatCounts(counts))
  faults.expect(deadlocks === 0, `${deadlocks} deadlocks`)
  faults.expect(took < limit, 'too slow')
  return faults.outcome(`${formatCounts(counts)} in ${(took / 1000).toFixed(1)} s, ${deadlocks} deadlocks`)
}

/** Deadlocks counted by PostgreSQL in this database. */
async function deadlocksOf(shop: Target): Promise<number> {
  await shop.rows('select pg_stat_force_next_flush()')
  const [row] = await shop.rows('select deadlocks from pg_stat_database where datname = current_database()')
  return Number(row.deadlocks)
}

export const scenario: Scenario = {
  risk: 'deadlock',
  timed: true,
  promise: '200 carts with the same 10 products in shuffled order: all succeed, 0 deadlocks, under 5 s',
  run: () => withShop({}, async shop => deadlock(shop, await signUpMany(shop, 200), 5_000)),
}
