import { typedText } from '#csv'
import { toCents } from '#money'
import { MAX_STOCK } from '#products/contract.ts'
import { type EtsyListing, GROUP_COLUMNS, IMAGE1, VARIATION1 } from './etsy-listing.ts'

/** Columns up to the quantity. */
const NEEDED = 5
/** Characters of a wrong cell that are repeated. */
const SHOWN = 30

interface Rules {
  /** Most characters of each cell. */
  limits: number[]
  /** Groups of variations. */
  groups: number
  /** Called for each wrong cell. */
  refuse: (column: number, why: string) => void
}

/** The listing of a row; undefined if a cell is wrong. Cells behind the quantity may be missing. */
export function listingOf(cells: string[], { limits, groups, refuse }: Rules): EtsyListing | undefined {
  let isWrong = false
  const wrong = (column: number, why: string) => {
    isWrong = true
    refuse(column, why)
  }
  if (cells.length < NEEDED) wrong(cells.length, 'this column and those after it are missing')
  limits.forEach((max, column) => {
    const cell = cells[column] ?? ''
    if (cell.length > max) wrong(column, `the cell is longer than ${max.toLocaleString('en-US')} characters`)
    else if (cell.includes('\0')) wrong(column, 'the cell has a NUL character, which no text can have')
  })
  if (isWrong) return undefined

  const text = (column: number) =>
    typedText(cells[column] ?? '')
      .replaceAll(/\r\n?/g, '\n')
      .trim()
  const list = (column: number) => listIn(text(column))
  const words = (column: number) => listIn(text(column).replaceAll('_', ' '))
  const shown = (column: number) => `“${[...text(column)].slice(0, SHOWN).join('')}”`
  const title = text(0)
  if (title === '') wrong(0, 'the title is missing')
  const price_cents = centsOf(text(2))
  if (price_cents === undefined)
    wrong(2, `${shown(2)} is no price above 0. Write it as 1234.50 or 1234,50, without thousands separators`)
  const currency = text(3)
  if (!/^[A-Z]{3}$/.test(currency)) wrong(3, `${shown(3)} is no currency such as USD`)
  const quantity = quantityOf(text(4))
  if (quantity === undefined) wrong(4, `${shown(4)} is no whole number from 0 to 1,000,000`)
  if (isWrong || price_cents === undefined || quantity === undefined) return undefined

  const variations = Array.from({ length: groups }, (_, group) => VARIATION1 + group * GROUP_COLUMNS)
    .map(first => ({ type: text(first), name: text(first + 1), values: list(first + 2) }))
    .filter(({ type, name, values }) => type !== '' || name !== '' || values.length > 0)
  return {
    ...{ title, description: text(1), price_cents, currency, quantity },
    ...{ tags: words(5), materials: words(6) },
    images: cells.slice(IMAGE1, VARIATION1).flatMap((_, index) => text(IMAGE1 + index) || []),
    variations,
    skus: list(limits.length - 1),
  }
}

/** Etsy does not escape commas within a value. */
const listIn = (text: string): string[] =>
  text
    .split(',')
    .map(value => value.trim())
    .filter(value => value !== '')

/** Cents of a price with a decimal point or comma; null: empty, undefined: no price above 0. */
function centsOf(price: string): number | null | undefined {
  if (price === '') return null
  if (!/^\d{1,9}(?:[.,]\d{1,2})?$/.test(price)) return undefined
  return toCents(Number(price.replace(',', '.'))) || undefined
}

/** Null: empty, undefined: no quantity. */
function quantityOf(quantity: string): number | null | undefined {
  if (quantity === '') return null
  return /^\d{1,7}$/.test(quantity) && Number(quantity) <= MAX_STOCK ? Number(quantity) : undefined
}
