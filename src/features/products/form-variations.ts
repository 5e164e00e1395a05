import { fieldErrors } from '#contract'
import { hasAmbiguousSeparator, twoDecimals } from '#money'
import { decimalIn, numberIn } from '#text'
import { combinationName, optionsIn } from './combination-name.ts'
import { type ControlText, linesIn } from './control-text.ts'
import { MANY_DECIMALS, STOCK_SEPARATOR } from './fields-contract.ts'
import { rowControls, rowsOf, rowText } from './row-controls.ts'
import {
  combinationsOf,
  MAX_VARIATIONS,
  NewCombination,
  NewVariation,
  NewVariations,
  type WrittenVariations,
} from './variations-contract.ts'

// The variations of a listing as the controls of its form have them: texts. A form has a row for each combination; where it has
// none yet, all combinations begin with the price and the stock of the listing.

/** Names of the controls of a variation. @param n from 1 */
export const variationControls = (n: number) => ({
  title: `variation_${n}`,
  options: `variation_${n}_options`,
})
/** The numbers of the variations. */
export const VARIATION_BLOCKS = Array.from({ length: MAX_VARIATIONS }, (_, index) => index + 1)
/** The controls of the variations. Those of their combinations are as many as there are: `isRowControl`. */
export const VARIATION_CONTROLS = VARIATION_BLOCKS.flatMap(n => Object.values(variationControls(n)))
type Variation = NewVariations['variations'][number]

function variationIn(typed: ControlText, n: number): Variation | undefined {
  const controls = variationControls(n)
  const title = (typed(controls.title) ?? '').trim()
  const options = linesIn(typed(controls.options) ?? '')
  return title === '' && options.length === 0 ? undefined : { title, options }
}

function rowIn(typed: ControlText, n: number, options: string[]): NewVariations['combinations'][number] {
  const controls = rowControls(n)
  const text = (name: keyof typeof controls) => typed(controls[name]) ?? ''
  return {
    options,
    price: decimalIn(rowText(typed, n, 'price')),
    stock: numberIn(rowText(typed, n, 'stock')),
    stock_shown: text('stock_shown') === '' ? 0 : numberIn(text('stock_shown')),
    sku: text('sku'),
    photo: text('photo') === '' ? null : numberIn(text('photo')),
  }
}

/** An option with its variation: both variations may have one of the same name. */
const keyOf = (option: string, variation: number) => `${variation} ${option}`

/** Variations from the texts of a form, as the API takes them. Undefined: the form does not ask for them. */
export function typedVariations(typed: ControlText): NewVariations | undefined {
  if (typed(variationControls(1).title) === undefined) return undefined
  const variations = VARIATION_BLOCKS.map(n => variationIn(typed, n)).filter(one => one !== undefined)
  if (variations.length === 0) return { variations, combinations: [] }
  const rows = rowsOf(typed)
  const named = new Map(rows.map(n => [typed(rowControls(n).options), n]))
  // Where a variation is added or taken away, all combinations are new.
  const known = new Set(
    [...named.keys()]
      .map((name = '') => optionsIn(name))
      .filter(options => options.length === variations.length)
      .flatMap(options => options.map(keyOf)),
  )
  /** A combination of options that were there before was left out: it stays so. */
  const isNew = (options: string[]) => rows.length === 0 || options.map(keyOf).some(key => !known.has(key))
  const combinations = combinationsOf(variations).flatMap(options => {
    const row = named.get(combinationName(options))
    if (row !== undefined) return [rowIn(typed, row, options)]
    const stock = rows.length === 0 ? numberIn(typed('stock') ?? '') : 0
    const price = decimalIn(typed('price') ?? '')
    return isNew(options) ? [{ options, price, stock, sku: '', photo: null }] : []
  })
  return { variations, combinations }
}

/** Control → message, for what is wrong in the variations and in the rows. */
export function validateVariations(typed: ControlText): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const n of VARIATION_BLOCKS) {
    const variation = variationIn(typed, n)
    const controls: Record<string, string> = variationControls(n)
    const broken = variation ? fieldErrors(NewVariation, variation) : undefined
    for (const [field, message] of Object.entries(broken ?? {}))
      errors[controls[field] ?? variationControls(n).title] ??= message
  }
  for (const n of rowsOf(typed)) {
    const controls: Record<string, string> = rowControls(n)
    const broken = fieldErrors(NewCombination, rowIn(typed, n, [])) ?? {}
    for (const [field, message] of Object.entries(broken)) errors[controls[field] ?? ''] ??= message
    if (hasAmbiguousSeparator(rowText(typed, n, 'price'))) errors[rowControls(n).price] ??= MANY_DECIMALS
    if (hasAmbiguousSeparator(rowText(typed, n, 'stock'))) errors[rowControls(n).stock] ??= STOCK_SEPARATOR
  }
  const [whole] = Object.values(fieldErrors(NewVariations, typedVariations(typed) ?? NONE) ?? {})
  if (whole !== undefined && Object.keys(errors).length === 0) errors[variationControls(1).title] = whole
  return errors
}
const NONE: NewVariations = { variations: [], combinations: [] }

/**
 * The stock that the rows of a form show now: the next attempt is based on it.
 * @param combinations of the listing now
 * @param which 'new': only rows of combinations that the form has added, and another tab as well
 */
export const stockShownNow = (
  typed: ControlText,
  combinations: WrittenVariations['combinations'],
  which: 'all' | 'new' = 'all',
): Record<string, string> =>
  Object.fromEntries(
    rowsOf(typed).flatMap(n => {
      const { options, stock_shown } = rowControls(n)
      const now = combinations.find(({ options: own }) => combinationName(own) === typed(options))
      return now && (which === 'all' || typed(stock_shown) === '') ? [[stock_shown, String(now.stock)]] : []
    }),
  )

/** The stock that the rows of a form show after it was saved: what was typed. */
export const stockShownAsSaved = (typed: ControlText): Record<string, string> =>
  Object.fromEntries(
    rowsOf(typed).map(n => {
      const { stock, stock_shown } = rowControls(n)
      return [stock_shown, typed(stock) ?? '']
    }),
  )

/** The texts of a row. */
export interface Row {
  options: string[]
  price: string
  stock: string
  stock_shown: string
  sku: string
  photo: string
}

/** The texts of the controls. */
export const textsOfRows = (variations: Variation[], rows: Row[]): Record<string, string> =>
  Object.fromEntries([
    ...VARIATION_BLOCKS.flatMap(n => {
      const { title = '', options = [] } = variations[n - 1] ?? {}
      const controls = variationControls(n)
      return [
        [controls.title, title],
        [controls.options, options.join('\n')],
      ]
    }),
    ...rows.flatMap(({ options, ...row }, index) => {
      const texts = { options: combinationName(options), ...row }
      return Object.entries(rowControls(index + 1)).map(([name, control]) => [
        control,
        texts[name as keyof Row],
      ])
    }),
  ])

/** The texts of the controls of variations that are saved. */
export const variationTexts = ({ variations, combinations }: WrittenVariations): Record<string, string> =>
  textsOfRows(
    variations,
    combinations.map(({ options, price, stock, sku, photo }) => ({
      ...{ options, price: twoDecimals(price), stock: String(stock), stock_shown: String(stock), sku },
      photo: String(photo ?? ''),
    })),
  )

/**
 * The texts of a form whose photos get a new order: each combination keeps its photo.
 * @param places of all photos from 1, by their former ones; null where one is removed
 */
export const withPhotosAt = <Texts extends Record<string, string | undefined>>(
  texts: Texts,
  places: (number | null)[],
): Texts => ({
  ...texts,
  ...Object.fromEntries(
    rowsOf(name => texts[name]).flatMap(n => {
      const { photo } = rowControls(n)
      const place = Number(texts[photo])
      // Beyond the stored ones it is still on its way.
      return place >= 1 && place <= places.length ? [[photo, String(places[place - 1] ?? '')]] : []
    }),
  ),
})
