import { twoDecimals } from '#money'
import { decimalIn } from '#text'
import type { ControlText } from './control-text.ts'

// The listing form has a row of controls for each combination of its variations.

/** Names of the controls of a row. `options` names its combination. @param n from 1 */
export const rowControls = (n: number) => ({
  options: `combination_${n}`,
  price: `combination_${n}_price`,
  stock: `combination_${n}_stock`,
  stock_shown: `combination_${n}_shown`,
  sku: `combination_${n}_sku`,
  photo: `combination_${n}_photo`,
})

/**
 * Hidden controls: the price and the stock of the listing that new rows have. A row that still has them follows the
 * listing, also where the form is sent before the row shows it.
 */
export const FOLLOWED = { price: 'combinations_price', stock: 'combinations_stock' }

/** Whether a control is of a row, or of all. */
export const isRowControl = (name: string): boolean =>
  /^combination_[1-9]\d{0,2}(?:_price|_stock|_shown|_sku|_photo)?$/.test(name) ||
  Object.values(FOLLOWED).includes(name)
/** The controls of the rows that a form has. */
export const rowControlsIn = (typed: ControlText): string[] => [
  ...rowsOf(typed).flatMap(n => Object.values(rowControls(n))),
  ...Object.values(FOLLOWED),
]

/** The numbers of the rows that a form has. */
export function rowsOf(typed: ControlText): number[] {
  const rows: number[] = []
  while (typed(rowControls(rows.length + 1).options) !== undefined) rows.push(rows.length + 1)
  return rows
}

/** The price of a listing as a row begins with it. */
export function rowPrice(price = ''): string {
  const number = decimalIn(price)
  return Number.isFinite(number) ? twoDecimals(number) : ''
}

/** What a row begins with, of the text of the listing. Empty: there is none yet. */
const firstOf = {
  price: rowPrice,
  stock: (stock = '') => stock.trim(),
}

/** Whether a row has the price or the stock of the listing, because it was given no other. */
export function isFollowing(typed: ControlText, n: number, part: keyof typeof FOLLOWED): boolean {
  const controls = rowControls(n)
  const followed = firstOf[part](typed(FOLLOWED[part]))
  return followed !== '' && typed(controls.stock_shown) === '' && typed(controls[part]) === followed
}

/** The price or the stock of a row: where it follows the listing, that of the listing now. */
export function rowText(typed: ControlText, n: number, part: keyof typeof FOLLOWED): string {
  const own = typed(rowControls(n)[part]) ?? ''
  return (isFollowing(typed, n, part) && firstOf[part](typed(part))) || own
}
