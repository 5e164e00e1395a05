import { createHash } from 'node:crypto'
import type { Answer } from '#products/questions-contract.ts'
import type { Units } from '#products/stock.ts'
import { type Delivery, isPickup } from './delivery.ts'

type Line = Units & { answers?: Answer[] }

/**
 * Digest of the delivery that a shopper was shown. It changes with the address, with a way, its postage or days, and
 * with an answer to a question about the pieces.
 */
export function deliveryDigest({ address, parts }: Delivery<Line>): string {
  const isPosted = parts.some(({ chosen }) => chosen && !isPickup(chosen))
  const ways = parts.map(({ seller_id, chosen, ready_days }) =>
    chosen && isPickup(chosen)
      ? [seller_id, ready_days, chosen.place, chosen.hours]
      : [seller_id, ready_days, chosen?.postage_cents, chosen?.name, chosen?.days_min, chosen?.days_max],
  )
  const { name, line1, line2, city, region, postal_code, country } = address ?? {}
  const lines = isPosted ? [name, line1, line2, city, region, postal_code, country] : []
  return createHash('sha256')
    .update(JSON.stringify([lines, ways, ...answersIn(parts.flatMap(part => part.lines))]))
    .digest('base64url')
}

/** Each line with answers as JSON, sorted, so that equal carts have equal digests. */
const answersIn = (lines: Line[]): string[] =>
  lines
    .flatMap(({ product_id, quantity, answers = [] }) =>
      answers.length > 0
        ? JSON.stringify([product_id, quantity, answers.map(({ question, answer }) => [question, answer])])
        : [],
    )
    .sort()
