import { ListingFields } from '#products/contract.ts'
import { totalOf } from '../../src/features/orders/preconditions.ts'
import { fromCents, toCents, twoDecimals } from '../../src/shared/money.ts'
import { withShop } from '../support/harness.ts'
import { openForm } from '../support/resilience/forms.ts'
import { each, Faults, type Scenario, type Target } from '../support/scenario.ts'

/** 10,000.00 in cents. */
const DEAREST = 1_000_000
const CARTS = 100_000
const LISTINGS = 200
/** Number of prices sent to the running shop, all of which floating point gets wrong. */
const EDITS = 2_000
const ORDERS = 300

/** Cents as people write them, by integer arithmetic. */
const written = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
const random = (max: number) => 1 + Math.floor(Math.random() * max)

/** Every price through the shop's own code: validation, cents, JSON, page. */
function everyPrice(faults: Faults): void {
  const rule = ListingFields.shape.price
  for (let cents = 1; cents <= DEAREST; cents++) {
    const text = written(BigInt(cents))
    const read = rule.safeParse(JSON.parse(text))
    const back = fromCents(read.success ? toCents(read.data) : 0)
    const wire = JSON.parse(JSON.stringify(back))
    if (twoDecimals(wire) !== text || toCents(wire) !== cents) faults.expect(false, `${text} became ${wire}`)
  }
}

/** Random carts through the code that sums an order. */
function everyCart(faults: Faults): void {
  for (let n = 0; n < CARTS; n++) {
    const lines = Array.from({ length: random(12) }, () => ({
      product_id: 1,
      name: '',
      price_cents: random(DEAREST),
      quantity: random(30),
    }))
    const exact = lines.reduce((sum, line) => sum + BigInt(line.price_cents) * BigInt(line.quantity), 0n)
    const wire = JSON.parse(JSON.stringify(fromCents(totalOf(lines))))
    if (twoDecimals(wire) !== written(exact)) faults.expect(false, `${written(exact)} became ${wire}`)
  }
}

/** Whether a price times a hundred is no integer in floating point: 1.15 × 100 is 114.99999999999999. */
const isHard = (cents: number) => !Number.isInteger(Number(written(BigInt(cents))) * 100)

/** Edits a listing with such prices: response and database must agree. */
async function everyEdit(shop: Target, faults: Faults): Promise<void> {
  const seller = await shop.signUp('seller')
  const hard = Array.from({ length: DEAREST }, (_, n) => n + 1).filter(isHard)
  const step = hard.length / EDITS
  const chosen = Array.from({ length: EDITS }, (_, n) => hard[Math.floor((n + Math.random()) * step)] ?? 1)
  const prices = new Map<number, number>()
  const left = chosen.values()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const { id, ...draft } = await shop.list(seller)
      for (const cents of left) {
        const text = written(BigInt(cents))
        const { body } = await seller.put(`/api/products/${id}`, { ...draft, id, price: Number(text) })
        faults.expect(twoDecimals(body.price ?? 0) === text, `${text} was stored as ${body.price}`)
        prices.set(id, cents)
      }
    }),
  )
  for (const [id, cents] of prices) {
    const [found] = await shop.rows(`select price_cents from products where id = ${id}`)
    faults.expect(Number(found.price_cents) === cents, `${cents} was stored as ${found.price_cents}`)
  }
}

/** Random orders in the running shop: page, response and database must agree. */
async function everyOrder(shop: Target, faults: Faults): Promise<void> {
  const seller = await shop.signUp('seller')
  const buyers = await Promise.all([1, 2, 3, 4].map(() => shop.signUp('buyer')))
  const prices = new Map<number, number>()
  await each(Array(LISTINGS).keys(), 8, async () => {
    const cents = random(DEAREST)
    const { id, price } = await shop.list(seller, { price: Number(written(BigInt(cents))), stock: 900_000 })
    faults.expect(
      twoDecimals(price) === written(BigInt(cents)),
      `${written(BigInt(cents))} was stored as ${price}`,
    )
    prices.set(id, cents)
  })
  const ids = [...prices.keys()]
  await Promise.all(
    buyers.map(async buyer => {
      for (let n = 0; n < ORDERS / buyers.length; n++) {
        const chosen = new Map(
          Array.from({ length: random(6) }, () => [ids[random(LISTINGS) - 1]!, random(30)]),
        )
        for (const [id, quantity] of chosen) await buyer.post(`/api/cart_items/add/${id}`, { quantity })
        const exact = [...chosen].reduce(
          (sum, [id, units]) => sum + BigInt(prices.get(id)!) * BigInt(units),
          0n,
        )
        const shown = (await openForm(buyer, '/cart?checkout=yes', 'Yes (place order)')).fields.total ?? ''
        const { body } = await buyer.post('/api/orders/checkout', undefined, { 'expected-total': shown })
        faults.expect(shown === written(exact), `the page showed ${shown} for ${written(exact)}`)
        faults.expect(
          twoDecimals(body.total ?? 0) === written(exact),
          `the order has ${body.total} for ${written(exact)}`,
        )
      }
    }),
  )
  const wrong = await shop.rows(
    `select o.id from orders o join order_lines l on l.order_id = o.id group by o.id
     having sum(l.price_cents::numeric * l.quantity) <> o.total_cents`,
  )
  faults.expect(wrong.length === 0, `${wrong.length} wrong totals in the database`)
}

export const scenario: Scenario = {
  risk: 'money',
  promise: 'every price from 0.01 to 10,000.00; 100,000 random carts: 0 mismatches',
  slow: true,
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      everyPrice(faults)
      everyCart(faults)
      await everyEdit(shop, faults)
      await everyOrder(shop, faults)
      return faults.outcome(
        `all ${DEAREST} prices and ${CARTS} random carts through the shop’s own functions; through the running shop ${EDITS} prices that floating point gets wrong, and ${ORDERS} random orders (page, API and database): ${faults.found.length} mismatches`,
      )
    }),
}
