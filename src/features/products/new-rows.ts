import { combinationName } from './combination-name.ts'
import type { ControlText } from './control-text.ts'
import { type Row, textsOfRows, typedVariations, variationControls } from './form-variations.ts'
import { FOLLOWED, isRowControl, rowControls, rowPrice, rowsOf, rowText } from './row-controls.ts'
import { MAX_COMBINATIONS, NewVariation, type NewVariations } from './variations-contract.ts'

// Adds rows to the form for new combinations, so that their maker sees each before it is for sale: in the browser
// with scripts, and in a saved draft.

/** The variations that a form describes. Undefined while they are unfinished or wrong. */
function described(typed: ControlText): NewVariations | undefined {
  const found = typedVariations(typed)
  if (!found || found.combinations.length > MAX_COMBINATIONS) return undefined
  return found.variations.every(one => NewVariation.safeParse(one).success) ? found : undefined
}

/**
 * The texts of a form, with one row for each combination of its variations. The first rows get the price and stock of
 * the listing, and follow it until they are edited; later rows begin with stock 0. Unchanged while the variations are
 * incomplete or invalid, or there is no price yet.
 */
export function withNewRows(texts: Record<string, string>): Record<string, string> {
  const typed: ControlText = name => texts[name]
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
    return {
      ...(Object.fromEntries(own) as Record<keyof typeof fresh, string>),
      ...{ options, price: rowText(typed, row, 'price'), stock: rowText(typed, row, 'stock') },
    } satisfies Row
  })
  return {
    ...Object.fromEntries(others),
    ...(cells.length > 0 ? followedNow(texts, rows.length === 0) : {}),
    ...textsOfRows(found.variations, cells),
  }
}

/**
 * The price and stock of the listing that the rows follow. An empty field keeps the former text. In a form with rows,
 * an empty former text stays empty.
 */
function followedNow(texts: Record<string, string>, isFirst: boolean): Record<string, string> {
  const now = (part: keyof typeof FOLLOWED) => {
    const former = texts[FOLLOWED[part]] ?? ''
    return isFirst || former !== '' ? (texts[part] ?? '').trim() || former : ''
  }
  return { [FOLLOWED.price]: now('price'), [FOLLOWED.stock]: now('stock') }
}

/** Control → message, where a form with rows describes combinations that have none. */
export function validateRows(typed: ControlText): Record<string, string> {
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
