import type { CartLine } from '#cart/contract.ts'
import { fromCents, toCents } from '#money'
import type { CheckoutPart } from '../contract.ts'

/** The pieces of one maker on the page: those that are in the cart once pending changes succeed. */
export interface SellerGroup {
  part: CheckoutPart
  lines: CartLine[]
}

/** The lines of each maker. `others` have no maker any more: their listings are deleted. */
export function groupBySeller(
  lines: CartLine[],
  parts: CheckoutPart[],
): { blocks: SellerGroup[]; others: CartLine[] } {
  const blocks = parts.flatMap(part => {
    const ids = part.lines.map(({ product_id }) => product_id)
    const own = lines.filter(({ product }) => product && ids.includes(product.id))
    return own.length > 0 ? [{ part, lines: own }] : []
  })
  const grouped = new Set(blocks.flatMap(({ lines }) => lines))
  return { blocks, others: lines.filter(line => !grouped.has(line)) }
}

/** Whether the delivery leaves no choice: one maker, whose pieces can only be collected, at one place. */
export const isPlain = (blocks: SellerGroup[]): boolean =>
  blocks.every(
    ({ part: { by_post, pickup_places, refusal } }, index) =>
      index === 0 && !by_post && pickup_places.length === 1 && refusal === null,
  )

/** Amounts of blocks, in dollars. Summed in whole cents; a price that is no number counts as 0. */
export function sumsOf(blocks: SellerGroup[]): { pieces: number; postage: number; total: number } {
  const pieces = blocks
    .flatMap(({ lines }) => lines)
    .reduce(
      (sum, { product, quantity }) =>
        sum + (typeof product?.price === 'number' ? toCents(product.price) * quantity : 0),
      0,
    )
  const postage = blocks.reduce((sum, { part }) => sum + toCents(part.postage), 0)
  return { pieces: fromCents(pieces), postage: fromCents(postage), total: fromCents(pieces + postage) }
}
