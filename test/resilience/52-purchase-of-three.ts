import { withShop } from '../support/harness.ts'
import { countStatuses, type Person } from '../support/person.ts'
import { each, Faults, formatCounts, type Outcome, type Scenario, type Target } from '../support/scenario.ts'
import { signUpMany } from './01-overselling.ts'

const MAKERS = 3
/** Pieces of each maker that are left. */
const LEFT = 5

/** Many users check out the last pieces of three makers at once, each from a cart with all three, in several rounds. */
export async function lastOfThree(shop: Target, users: Person[], rounds: number): Promise<Outcome> {
  const faults = new Faults()
  const makers: Person[] = []
  for (let n = 0; n < MAKERS; n++) makers.push(await shop.signUp('maker'))
  const all: Record<number, number> = {}
  for (let round = 0; round < rounds; round++) {
    const pieces: number[] = []
    for (const maker of makers) pieces.push((await shop.list(maker, { stock: LEFT })).id)
    // Carts are filled in different orders.
    await each(users.entries(), 20, async ([n, person]) => {
      for (let at = 0; at < MAKERS; at++)
        await person.post(`/api/cart_items/add/${pieces[(at + n) % MAKERS]}`, { quantity: 1 })
    })
    const responses = await Promise.all(users.map(person => person.post('/api/orders/checkout')))
    const counts = countStatuses(responses)
    faults.expect(
      counts[201] === LEFT && counts[409] === users.length - LEFT,
      `round ${round}: ${formatCounts(counts)}`,
    )
    for (const [status, count] of Object.entries(counts))
      all[Number(status)] = (all[Number(status)] ?? 0) + count
    for (const { status, body } of responses)
      if (status === 201)
        faults.expect(body.orders?.length === MAKERS, 'an answer has fewer orders than makers')
    await checkStock(shop, pieces, faults, `round ${round}`)
    await each(users, 20, emptyCart)
  }
  await checkPurchases(shop, MAKERS, faults)
  return faults.outcome(
    `${users.length} people, ${rounds} rounds: ${formatCounts(all)}; ${MAKERS} orders for each purchase; stock + sold always ${LEFT} for each maker`,
  )
}

async function checkStock(shop: Target, pieces: number[], faults: Faults, where: string): Promise<void> {
  for (const id of pieces) {
    const [{ left, sold }] = await shop.rows(
      `select s.quantity as left, coalesce(sum(l.quantity - l.cancelled), 0)::int as sold
       from stock s left join order_lines l using (product_id) where s.product_id = ${id} group by s.quantity`,
    )
    faults.expect(left === 0 && sold === LEFT, `${where}: ${left} left and ${sold} sold of ${LEFT}`)
  }
}

/** Checks that each purchase has an order for each maker, and each order the sum of its lines and postage. */
export async function checkPurchases(shop: Target, makers: number, faults: Faults): Promise<void> {
  const partial = await shop.rows(
    `select purchase_id from orders group by purchase_id
     having count(*) <> ${makers} or count(distinct seller_id) <> ${makers}`,
  )
  faults.expect(partial.length === 0, `${partial.length} purchases without an order for each maker`)
  const wrong = await shop.rows(
    `select o.id from orders o left join order_lines l on l.order_id = o.id group by o.id
     having o.postage_cents + sum(l.price_cents * l.quantity) is distinct from o.total_cents`,
  )
  faults.expect(wrong.length === 0, `${wrong.length} orders with another total than their lines`)
}

async function emptyCart(person: Person): Promise<void> {
  const { body } = await person.get(`/api/cart_items/${person.user.id}`)
  for (const line of body.cart_items) await person.delete(`/api/cart_items/${line.id}`)
}

export const scenario: Scenario = {
  risk: 'purchase of several makers',
  timed: true,
  promise:
    '200 people check out the last 5 of three makers at once, 5 rounds: 5 purchases of three orders each, 195 × 409 without an order, no 5xx, stock + sold constant',
  run: () => withShop({}, async shop => lastOfThree(shop, await signUpMany(shop, 200), 5)),
}
