import { withShop } from '../support/harness.ts'
import { countStatuses, type Person, times } from '../support/person.ts'
import { Faults, formatCounts, type Outcome, type Scenario, type Target } from '../support/scenario.ts'

const CLICKS = 20

/** Twenty concurrent checkouts of one cart: from one dialog, from two tabs with a key each, and without a key. */
export async function doubleClick(shop: Target): Promise<Outcome> {
  const faults = new Faults()
  const seller = await shop.signUp('seller')
  const figures: string[] = []
  const ways: Record<string, (click: number) => Record<string, string>> = {
    'one tab': () => ({ 'idempotency-key': 'one-dialog' }),
    'two tabs': click => ({ 'idempotency-key': `tab-${click % 2}` }),
    'no key': () => ({}),
  }
  for (const [name, headers] of Object.entries(ways)) {
    const buyer = await shop.signUp('buyer')
    const { id } = await shop.list(seller, { stock: 50 })
    await buyer.post(`/api/cart_items/add/${id}`, { quantity: 2 })
    const responses = await times(CLICKS, click => checkout(buyer, headers(click)))
    const orders = (await buyer.get('/api/orders/')).body.length
    const left = await shop.stockOf(id)
    figures.push(`${name}: ${orders} order (${formatCounts(countStatuses(responses))})`)
    faults.expect(orders === 1 && left === 48, `${name}: ${orders} orders, ${left} left of 50`)
    faults.expect(!responses.some(({ status }) => status >= 500), `${name}: a 5xx`)
  }
  return faults.outcome(figures.join('; '))
}

const checkout = (person: Person, headers: Record<string, string>) =>
  person.post('/api/orders/checkout', undefined, headers)

export const scenario: Scenario = {
  risk: 'double click',
  promise: '20 simultaneous checkouts of one cart, in one and in two tabs: 1 order',
  tested: true,
  run: () => withShop({}, doubleClick),
}
