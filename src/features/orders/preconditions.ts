import type { OrderedLine } from '#cart/cart.ts'
import { dollars, fromCents } from '#money'
import { Problem } from '#problem'
import type { Sold, Units } from '#products/stock.ts'
import type { Purchase } from './contract.ts'

/** What the user saw and confirmed. Missing fields are not compared. */
export interface Expected {
  /** Idempotency key: the same key is the same order. */
  key?: string | undefined
  /** With postage, integer cents. */
  total?: number | undefined
  items?: Units[] | undefined
  /** Address, ways and answers, as `GET /api/checkout/` names them. */
  delivery?: string | undefined
}

/** Total of all lines, integer cents. */
export const totalOf = (lines: Sold[]): number =>
  lines.reduce((sum, line) => sum + line.price_cents * line.quantity, 0)

/** What a checkout would order. */
interface Present {
  lines: Sold<OrderedLine>[]
  /** Integer cents. */
  postage: number
  delivery: string
}

/** Checks total, lines and delivery. @throws Problem 409 with the present total */
export function requireExpected(present: Present, { total, items, delivery }: Expected): void {
  const { lines, postage } = present
  const now = totalOf(lines) + postage
  if (total !== undefined && total !== now) {
    const [current, expected] = [now, total].map(cents => dollars(fromCents(cents)))
    throw new Problem(409, `The total is now ${current} instead of ${expected}. ${NOTHING_ORDERED}`)
  }
  if (items && !sameUnits(items, lines)) {
    const current = dollars(fromCents(now))
    throw new Problem(409, `Your cart has changed; the total is ${current}. ${NOTHING_ORDERED}`)
  }
  const hasAnswers = lines.some(({ answers }) => answers.length > 0)
  if (delivery !== undefined && delivery !== present.delivery)
    throw new Problem(
      409,
      `How your pieces reach you${hasAnswers ? ', or what you want of them,' : ''} has changed. ${NOTHING_ORDERED}`,
    )
}

const NOTHING_ORDERED = 'Nothing was ordered yet: please look at it again'

/**
 * Checks that a repeated key has the contents of its purchase.
 * @param inCart the present contents of the cart: nothing after the order
 * @throws Problem 422
 */
export function requireSamePurchase(order: Purchase, { total, items }: Expected, inCart: Units[]): void {
  const ordered = order.products_ordered.map(({ id, quantity }) => ({ product_id: id, quantity }))
  const requested = items ?? (inCart.length > 0 ? inCart : ordered)
  if (sameUnits(requested, ordered) && (total === undefined || fromCents(total) === order.total)) return
  const numbers = new Intl.ListFormat('en').format((order.orders ?? [order]).map(({ id }) => `#${id}`))
  throw new Problem(
    422,
    `This was ordered already, as ${order.orders ? 'orders' : 'order'} ${numbers}, with other contents. Nothing was ordered again: please look at your cart once more`,
  )
}

const sameUnits = (some: Units[], others: Units[]): boolean => canonicalItems(some) === canonicalItems(others)

/** As `12x1 34x2`, by ascending product id. */
const canonicalItems = (units: Units[]): string =>
  [...units]
    .sort((a, b) => a.product_id - b.product_id || a.quantity - b.quantity)
    .map(({ product_id, quantity }) => `${product_id}x${quantity}`)
    .join(' ')
