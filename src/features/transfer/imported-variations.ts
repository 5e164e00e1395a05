import { textsOfRows } from '#products/form-variations.ts'
import { QUESTION_LENGTH } from '#products/questions-contract.ts'
import {
  combinationsOf,
  MAX_COMBINATIONS,
  MAX_VARIATION_OPTIONS,
  MAX_VARIATIONS,
  VARIATION_OPTION_LENGTH,
} from '#products/variations-contract.ts'
import { cutAtWord } from './cut-text.ts'
import type { Variation } from './etsy-listing.ts'

interface Imported {
  /** By the names of the listing form. */
  texts: Record<string, string>
  notes: [kind: 'cut' | 'check', message: string][]
  /** Whether each combination has a row. */
  hasRows: boolean
}

/**
 * Variations of Etsy's file as texts of the listing form: with a row for each combination, whose price is that of the
 * listing, and whose stock has to be filled in, since the file has only the sum.
 * @param rows combinations that can get a row; beyond them the form makes the rows when it is opened
 */
export function variationsOf(variations: Variation[], price: string, rows: number): Imported {
  if (variations.length === 0) return { texts: {}, notes: [], hasRows: true }
  const notes: Imported['notes'] = []
  if (variations.length > MAX_VARIATIONS)
    notes.push([
      'cut',
      `A listing has at most ${MAX_VARIATIONS} variations: ${namesOf(variations.slice(MAX_VARIATIONS))} is left out`,
    ])
  const accepted = variations.slice(0, MAX_VARIATIONS).map(({ name, type, values }, n) => ({
    title: cutAtWord(name || type, QUESTION_LENGTH) || `Variation ${n + 1}`,
    options: [...new Set(values.map(optionOf))].filter(option => option !== ''),
  }))
  for (const [n, { options }] of accepted.entries()) {
    const lost = (variations[n]?.values.length ?? 0) - options.length
    if (lost > 0 || options.length > MAX_VARIATION_OPTIONS)
      notes.push([
        'cut',
        `${namesOf([variations[n]!])}: at most ${MAX_VARIATION_OPTIONS} different options of ${VARIATION_OPTION_LENGTH} characters`,
      ])
    options.length = Math.min(options.length, MAX_VARIATION_OPTIONS)
  }
  const combinations = combinationsOf(accepted)
  if (combinations.length > MAX_COMBINATIONS) {
    notes.push([
      'cut',
      `A listing has at most ${MAX_COMBINATIONS} combinations: ${namesOf(variations)} are left out`,
    ])
    return { texts: {}, notes, hasRows: true }
  }
  notes.push([
    'check',
    `The file has one price and one stock for all combinations of ${namesOf(variations)}. Check the price and fill in the stock of each`,
  ])
  const row = { price, stock: '', stock_shown: '', sku: '', photo: '' }
  const hasRows = combinations.length <= rows
  const texts = textsOfRows(accepted, hasRows ? combinations.map(options => ({ options, ...row })) : [])
  return { texts, notes, hasRows }
}

/** An option as a listing can have it. */
const optionOf = (value: string) =>
  cutAtWord(value.replaceAll('·', '-').replace(/\s+/g, ' ').trim(), VARIATION_OPTION_LENGTH)

const namesOf = (variations: Variation[]) =>
  variations.map(({ name, type, values }) => `${name || type} (${values.length})`).join(' and ')
