import { setTimeout as sleep } from 'node:timers/promises'
import { withShop } from '../support/harness.ts'
import type { Person } from '../support/person.ts'
import { each, Faults, type Outcome, type Scenario, type Target } from '../support/scenario.ts'
import { signUpMany } from './01-overselling.ts'

interface Line {
  id: number
  quantity: number
}

/** Each request starts at a random time within so many ms, or the fastest would always win. */
const TOGETHER_MS = 60

/** Three adds race a checkout; a second checkout takes the rest. Together the two orders have every unit. */
export async function addingDuringCheckout(
  shop: Target,
  { races, people }: { races: number; people: number },
): Promise<Outcome> {
  const faults = new Faults()
  const seller = await shop.signUp('seller')
  const users = await signUpMany(shop, people)
  const [mug, bowl] = [
    await shop.list(seller, { stock: 900_000 }),
    await shop.list(seller, { stock: 900_000 }),
  ]
  let later = 0
  const race = async (buyer: Person) => {
    const add = (id: number, quantity: number) => buyer.post(`/api/cart_items/add/${id}`, { quantity })
    const soon = async <T>(begin: () => Promise<T>) => {
      await sleep(Math.random() * TOGETHER_MS)
      return begin()
    }
    await add(mug.id, 3)
    const [two, four, one, first] = await Promise.all([
      soon(() => add(mug.id, 2)),
      soon(() => add(bowl.id, 4)),
      soon(() => add(mug.id, 1)),
      soon(() => buyer.post('/api/orders/checkout')),
    ])
    const adds = [two, four, one].map(({ status }) => status).join(' ')
    faults.expect(adds === '201 201 201', `adding was answered ${adds}`)
    const second = await buyer.post('/api/orders/checkout')
    if (second.status === 201) later++
    const bought: Line[] = [first, second].flatMap(({ body }) => body.products_ordered ?? [])
    const units = (id: number) =>
      bought.filter(line => line.id === id).reduce((sum, line) => sum + line.quantity, 0)
    const ordered = `${units(mug.id)} mugs and ${units(bowl.id)} bowls`
    faults.expect(ordered === '6 mugs and 4 bowls' && first.status === 201, `${first.status}: ${ordered}`)
  }
  const queue = Array.from({ length: people }, (_, n) => users[n]!)
  await each(queue, people, async buyer => {
    for (let n = 0; n < races / people; n++) await race(buyer)
  })
  faults.expect(later > 0 && later < races, 'it was no race: always the same came first')
  const sold = 1_800_000 - (await shop.stockOf(mug.id)) - (await shop.stockOf(bowl.id))
  faults.expect(sold === races * 10, `${sold} units left the stock instead of ${races * 10}`)
  return faults.outcome(
    `${races} races: every unit in the order or still in the cart (in ${later} of them something was left for the next order)`,
  )
}

export const scenario: Scenario = {
  risk: 'adding during checkout',
  promise: '1,000 races: every unit is in the order or in the cart, never both or neither',
  run: () => withShop({}, shop => addingDuringCheckout(shop, { races: 1000, people: 20 })),
}
