import { withShop } from '../support/harness.ts'
import { countStatuses, times } from '../support/person.ts'
import { Faults, formatCounts, type Outcome, type Scenario, type Target } from '../support/scenario.ts'

const CANCELS = 20

/** Twenty concurrent cancels of one order, repeatedly. Row 54 cancels what is being sent. */
export async function cancelling(shop: Target, { rounds }: { rounds: number }): Promise<Outcome> {
  const faults = new Faults()
  const [seller, buyer] = [await shop.signUp('seller'), await shop.signUp('buyer')]
  const { id } = await shop.list(seller, { stock: 10 })
  const all: Record<number, number> = {}
  for (let round = 0; round < rounds; round++) {
    await buyer.post(`/api/cart_items/add/${id}`, { quantity: 3 })
    const { body: order } = await buyer.post('/api/orders/checkout')
    const counts = countStatuses(
      await times(CANCELS, () => buyer.delete(`/api/orders/${order.id}/delete-order`)),
    )
    for (const [status, count] of Object.entries(counts))
      all[Number(status)] = (all[Number(status)] ?? 0) + count
    faults.expect(counts[200] === 1 && counts[409] === CANCELS - 1, formatCounts(counts))
    const left = await shop.stockOf(id)
    faults.expect(left === 10, `${left} in stock instead of 10`)
  }
  return faults.outcome(
    `${rounds} orders, ${CANCELS} concurrent cancels each: ${formatCounts(all)}; stock given back once`,
  )
}

export const scenario: Scenario = {
  risk: 'cancelling',
  promise: '20 concurrent cancels of one order: one success, the stock is given back once',
  tested: true,
  run: () => withShop({}, shop => cancelling(shop, { rounds: 20 })),
}
