import { withShop } from '../support/harness.ts'
import { countStatuses, type Person } from '../support/person.ts'
import { each, Faults, inWords, type Outcome, type Scenario, type Target } from '../support/scenario.ts'

/** Many users check out the last five of a listing, in several rounds. */
export async function overselling(shop: Target, crowd: Person[], rounds: number): Promise<Outcome> {
  const faults = new Faults()
  const people = crowd.length
  const seller = await shop.signUp('seller')
  const all: Record<number, number> = {}
  for (let round = 0; round < rounds; round++) {
    const { id } = await shop.list(seller, { stock: 5 })
    await each(crowd, 20, person => person.post(`/api/cart_items/add/${id}`, { quantity: 1 }))
    const answers = await Promise.all(crowd.map(person => person.post('/api/orders/checkout')))
    const counts = countStatuses(answers)
    faults.expect(counts[201] === 5 && counts[409] === people - 5, `round ${round}: ${inWords(counts)}`)
    for (const [status, count] of Object.entries(counts))
      all[Number(status)] = (all[Number(status)] ?? 0) + count
    const [books] = await shop.rows(
      `select s.quantity + coalesce(sum(l.quantity), 0) as sum, s.quantity as left
       from stock s left join order_lines l using (product_id) where s.product_id = ${id} group by s.quantity`,
    )
    faults.expect(
      Number(books.sum) === 5 && Number(books.left) === 0,
      `round ${round}: stock + sold is ${books.sum}`,
    )
    await each(crowd, 20, async person => {
      const { body } = await person.get(`/api/cart_items/${person.user.id}`)
      for (const line of body.cart_items) await person.delete(`/api/cart_items/${line.id}`)
    })
  }
  return faults.outcome(`${people} people, ${rounds} rounds: ${inWords(all)}; stock + sold always 5`)
}

/** Signs up many users, a few at a time because of password hashing. */
export async function crowdOf(shop: Target, people: number): Promise<Person[]> {
  const crowd: Person[] = []
  await each(Array(people).keys(), 8, async () => crowd.push(await shop.signUp('buyer')))
  return crowd
}

export const scenario: Scenario = {
  risk: 'overselling',
  timed: true,
  promise:
    '200 people check out the last 5 of one product, 10 rounds: 5 orders, 195 × 409, no 5xx, stock + sold constant',
  run: () => withShop({}, async shop => overselling(shop, await crowdOf(shop, 200), 10)),
}
