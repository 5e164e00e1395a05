import { setTimeout as sleep } from 'node:timers/promises'
import { type RealShop, until, withShop } from '../support/harness.ts'
import type { Person } from '../support/person.ts'
import { Faults, type Outcome, type Scenario } from '../support/scenario.ts'
import { checkPurchases } from './52-purchase-of-three.ts'

const MAKERS = 3
const BUYERS = 6
const CRASHES = 20
/** Enough that no sale fails. */
const STOCK = 100_000
/** Within so many ms a new process has acknowledged a purchase. */
const WRITTEN_MS = 20_000

/** A shopper who buys from three makers again and again, each time with a new key. */
interface Buyer {
  person: Person
  attempts: number
  /** The attempt that may have been lost: its key, and whether its answer came. */
  key: string
  pending: boolean
  /** Key → number of the purchase, as acknowledged. */
  acknowledged: Map<string, number>
}

async function crashing(shop: RealShop): Promise<Outcome> {
  const faults = new Faults()
  const pieces: number[] = []
  for (let n = 0; n < MAKERS; n++) {
    const maker = await shop.signUp('maker')
    pieces.push((await shop.list(maker, { stock: STOCK })).id)
  }
  const buyers: Buyer[] = []
  for (let n = 0; n < BUYERS; n++) {
    const person = await shop.signUp('buyer')
    buyers.push({ person, attempts: 0, key: '', pending: false, acknowledged: new Map() })
  }
  const purchases = () => buyers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
  let repeated = 0
  for (let crash = 0; crash < CRASHES; crash++) {
    const before = purchases()
    let isBuying = true
    const loops = buyers.map(async buyer => {
      while (isBuying) {
        await buy(buyer, pieces, faults).catch(() => {})
        await sleep(2)
      }
    })
    await until(WRITTEN_MS, async () => purchases() > before)
    await sleep(20 + Math.random() * 300)
    await shop.kill()
    isBuying = false
    await Promise.all(loops)
    await shop.start()
    for (const buyer of buyers) if (buyer.pending) repeated += await retry(buyer, pieces, faults)
  }
  await checkPurchases(shop, MAKERS, faults)
  for (const { acknowledged, person } of buyers)
    for (const [key, purchase] of acknowledged) {
      const rows = await shop.rows(
        `select id from orders where purchase_id = ${purchase} and user_id = ${person.user.id}`,
      )
      faults.expect(rows.length === MAKERS, `the purchase ${purchase} of ${key} has ${rows.length} orders`)
    }
  for (const id of pieces) {
    const [{ left, sold }] = await shop.rows(
      `select s.quantity as left, coalesce(sum(l.quantity), 0)::int as sold
       from stock s left join order_lines l using (product_id) where s.product_id = ${id} group by s.quantity`,
    )
    faults.expect(left + sold === STOCK, `${left} left and ${sold} sold of ${STOCK}`)
  }
  faults.expect(repeated > 0, 'no attempt was lost: nothing was shown')
  return faults.outcome(
    `${CRASHES} crashes: ${purchases()} purchases acknowledged, none lost; ${repeated} attempts sent again, each one purchase of ${MAKERS} orders`,
  )
}

const checkout = ({ person, key }: Buyer) =>
  person.post('/api/orders/checkout', undefined, { 'idempotency-key': key })

async function buy(buyer: Buyer, pieces: number[], faults: Faults): Promise<void> {
  if (buyer.pending) return
  for (const id of pieces) {
    const { status } = await buyer.person.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    if (status !== 201) return
  }
  buyer.key = `purchase-${++buyer.attempts}`
  buyer.pending = true
  const { status, body } = await checkout(buyer)
  if (status === 201) acknowledge(buyer, body, faults)
  // 503 while the shop stops: nothing was ordered, and the same key is sent again.
}

function acknowledge(buyer: Buyer, body: { id: number; orders?: unknown[] }, faults: Faults): void {
  faults.expect(body.orders?.length === MAKERS, `a response with ${body.orders?.length} orders`)
  buyer.acknowledged.set(buyer.key, body.id)
  buyer.pending = false
}

/** Sends a lost attempt again, and once more: both are one purchase. @returns 1 */
async function retry(buyer: Buyer, pieces: number[], faults: Faults): Promise<number> {
  const first = await checkout(buyer)
  // Ordered before the crash, or from the cart as it is: with every piece.
  faults.expect(first.status === 201, `the retry is ${first.status}`)
  if (first.status !== 201) return 0
  const lines = first.body.products_ordered.length
  faults.expect(lines === pieces.length, `the retry has ${lines} of ${pieces.length} pieces`)
  const second = await checkout(buyer)
  faults.expect(second.body.id === first.body.id, 'the same key is another purchase')
  acknowledge(buyer, first.body, faults)
  return 1
}

export const scenario: Scenario = {
  risk: 'app crash during purchases',
  slow: true,
  promise:
    'kill -9 during purchases of three makers, 20 times: no purchase has fewer orders than makers, none that was acknowledged is lost, stock is right, the same key answers the same purchase',
  run: () => withShop({}, crashing),
}
