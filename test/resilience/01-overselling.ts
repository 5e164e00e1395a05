import { withShop } from '../support/harness.ts'
import { countStatuses, type Person } from '../support/person.ts'
import { each, Faults, formatCounts, type Outcome, type Scenario, type Target } from '../support/scenario.ts'

/** Many users check out the last five of a listing, in several rounds. */
export async function overselling(shop: Target, users: Person[], rounds: number): Promise<Outcome> {
  const faults = new Faults()
  const people = users.length
  const seller = await shop.signUp('seller')
  const all: Record<number, number> = {}
  for (let round = 0; round < rounds; round++) {
    const { id } = await shop.list(seller, { stock: 5 })
    await each(users, 20, person => person.post(`/api/cart_items/add/${id}`, { quantity: 1 }))
    const counts = await checkOutTogether(users, all)
    faults.expect(counts[201] === 5 && counts[409] === people - 5, `round ${round}: ${formatCounts(counts)}`)
    const [ledger] = await shop.rows(
      `select s.quantity + coalesce(sum(l.quantity), 0) as sum, s.quantity as left
       from stock s left join order_lines l using (product_id) where s.product_id = ${id} group by s.quantity`,
    )
    faults.expect(
      Number(ledger.sum) === 5 && Number(ledger.left) === 0,
      `round ${round}: stock + sold is ${ledger.sum}`,
    )
    await emptyCarts(users)
  }
  return faults.outcome(`${people} people, ${rounds} rounds: ${formatCounts(all)}; stock + sold always 5`)
}

/** Everybody checks out at once. @param all number of answers by status, to which these are added @returns these */
export async function checkOutTogether(
  users: Person[],
  all: Record<number, number>,
): Promise<Record<number, number>> {
  const counts = countStatuses(await Promise.all(users.map(person => person.post('/api/orders/checkout'))))
  for (const [status, count] of Object.entries(counts))
    all[Number(status)] = (all[Number(status)] ?? 0) + count
  return counts
}

/** Takes everything out of all carts. */
export const emptyCarts = (users: Person[]): Promise<void> =>
  each(users, 20, async person => {
    const { body } = await person.get(`/api/cart_items/${person.user.id}`)
    for (const line of body.cart_items) await person.delete(`/api/cart_items/${line.id}`)
  })

/** Signs up many users, a few at a time because of password hashing. */
export async function signUpMany(shop: Target, people: number): Promise<Person[]> {
  const users: Person[] = []
  await each(Array(people).keys(), 8, async () => users.push(await shop.signUp('buyer')))
  return users
}

export const scenario: Scenario = {
  risk: 'overselling',
  timed: true,
  promise:
    '200 people check out the last 5 of one product, 10 rounds: 5 orders, 195 × 409, no 5xx, stock + sold constant',
  run: () => withShop({}, async shop => overselling(shop, await signUpMany(shop, 200), 10)),
}
