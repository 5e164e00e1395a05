import { fromCents, toCents } from '#money'
import type { BulkChange, Values } from './bulk-contract.ts'
import { MAX_PRICE, MAX_STOCK, TOO_MUCH_STOCK } from './contract.ts'
import { MAX_TAGS } from './details-contract.ts'

/** What a change makes of a listing, or why it is refused. */
export type Outcome = { after: Values; problem?: never } | { after?: never; problem: string }

/**
 * A change of one listing. Pure: the preview shows it, and the edit does it.
 * @param section name of the chosen section
 */
export function outcomeOf(change: BulkChange, before: Values, section: string | null): Outcome {
  const { amount = 0 } = change
  switch (change.change) {
    case 'price_set':
    case 'price_percent':
    case 'price_amount': {
      const [lowest, highest] = [
        pricedAt(change, toCents(before.price)),
        pricedAt(change, toCents(before.price_to)),
      ]
      if (lowest <= 0) return { problem: 'The price would not be above $0.00' }
      if (highest > toCents(MAX_PRICE)) return { problem: 'The price would be above $999,999.99' }
      return { after: { ...before, price: fromCents(lowest), price_to: fromCents(highest) } }
    }
    case 'stock_set':
    case 'stock_add': {
      // The same for each combination.
      const units = amount * Math.max(1, before.combinations)
      const stock = change.change === 'stock_set' ? units : before.stock + units
      return stock > MAX_STOCK ? { problem: TOO_MUCH_STOCK } : { after: { ...before, stock } }
    }
    case 'section':
      return { after: { ...before, section } }
    case 'tags_add': {
      const tags = [...before.tags, ...(change.tags ?? []).filter(tag => !has(before.tags, tag))]
      if (tags.length > MAX_TAGS) return { problem: `It would have more than ${MAX_TAGS} tags` }
      return { after: { ...before, tags } }
    }
    case 'tags_remove': {
      const gone = change.tags ?? []
      return { after: { ...before, tags: before.tags.filter(tag => !has(gone, tag)) } }
    }
    case 'retire':
      return { after: { ...before, retired: true } }
    case 'restore':
      return { after: { ...before, retired: false } }
  }
}

const has = (tags: string[], tag: string) => tags.some(other => other.toLowerCase() === tag.toLowerCase())

/** The new price of a listing, integer cents. @param cents its price; percents of it are rounded half up */
export function pricedAt(
  { change, amount = 0 }: Pick<BulkChange, 'change' | 'amount'>,
  cents: number,
): number {
  const hundredths = toCents(amount)
  if (change === 'price_set') return hundredths
  if (change === 'price_amount') return cents + hundredths
  // Whole numbers: 1.005 × 100 would be 100.49999999999999.
  return Math.floor((cents * (10_000 + hundredths) + 5_000) / 10_000)
}
