import { twoDecimals } from '#money'
import { combinationName } from './combination-name.ts'
import { numberIn, type Typed } from './typed-text.ts'
import {
  isRowControl,
  type Row,
  rowControls,
  rowsOf,
  textsOfRows,
  typedVariations,
  variationControls,
} from './typed-variations.ts'
import { MAX_COMBINATIONS, NewVariation, type NewVariations } from './variations-contract.ts'

// Rows of combinations that a maker has just described: with scripts, and in a saved draft, each is seen before it is for sale.

/** The variations that a form describes. Undefined while they are unfinished or wrong. */
function described(typed: Typed): NewVariations | undefined {
  const found = typedVariations(typed)
  if (!found || found.combinations.length > MAX_COMBINATIONS) return undefined
  return found.variations.every(one => NewVariation.safeParse(one).success) ? found : undefined
}

/** The price of a listing as a row begins with it. */
export function rowPrice(price = ''): string {
  const number = numberIn(price.replace(',', '.'))
  return Number.isFinite(number) ? twoDecimals(number) : ''
}

/**
 * The texts of a form with a row for each combination that it describes. The first rows begin with the price and the stock of the
 * listing, later ones with stock 0. Unchanged while the variations are unfinished or wrong, or there is no price yet.
 */
export function withNewRows(texts: Record<string, string>): Record<string, string> {
  const typed: Typed = name => texts[name]
  const found = described(typed)
  const rows = rowsOf(typed)
  if (!found || (rows.length === 0 && rowPrice(texts.price) === '')) return texts
  const named = new Map(rows.map(n => [texts[rowControls(n).options], n]))
  const others = Object.entries(texts).filter(([name]) => !isRowControl(name))
  const cells = found.combinations.map(({ options }) => {
    const row = named.get(combinationName(options))
    // A second variation divides the row of the first one.
    const divided = named.get(combinationName(options.slice(0, -1)))
    const fresh = {
      price: divided === undefined ? rowPrice(texts.price) : (texts[rowControls(divided).price] ?? ''),
      stock: rows.length === 0 ? (texts.stock ?? '').trim() : '0',
      ...{ stock_shown: '', sku: '', photo: '' },
    }
    if (row === undefined) return { options, ...fresh }
    const own = Object.entries(rowControls(row)).map(([part, control]) => [part, texts[control] ?? ''])
    return { ...(Object.fromEntries(own) as Record<keyof typeof fresh, string>), options } satisfies Row
  })
  return { ...Object.fromEntries(others), ...textsOfRows(found.variations, cells) }
}

/** Control → message, where a form with rows describes combinations that have none. */
export function brokenRows(typed: Typed): Record<string, string> {
  const named = new Set(rowsOf(typed).map(n => typed(rowControls(n).options)))
  if (named.size === 0) return {}
  const names = described(typed)?.combinations.map(({ options }) => combinationName(options)) ?? []
  const [added, ...more] = names.filter(name => !named.has(name))
  if (added === undefined) return {}
  const message =
    more.length > 0
      ? `${added} and ${more.length} more are new: give each a price and a stock below`
      : `${added} is new: give it a price and a stock below`
  return { [variationControls(1).options]: message }
}
