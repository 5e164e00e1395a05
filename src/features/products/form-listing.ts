import { fieldErrors } from '#contract'
import { hasAmbiguousSeparator, twoDecimals } from '#money'
import type { FieldErrors } from '#problem'
import { decimalIn, numberIn } from '#text'
import {
  type Handling,
  ListingChange,
  MANY_DECIMALS,
  NewListing,
  RequiredFields,
  STOCK_SEPARATOR,
  USUAL_HANDLING_DAYS,
} from './contract.ts'
import type { ControlText } from './control-text.ts'
import { DETAIL_LABELS, detailsOf, textsOf, validateSides, type WrittenDetails } from './form-details.ts'
import { QUESTION_CONTROLS, validateQuestions } from './form-questions.ts'
import { VARIATION_CONTROLS, validateVariations } from './form-variations.ts'
import { SIDES } from './sides.ts'

// A listing as the controls of its form have it: texts. Server and browser use it.

/** Controls of the listing form that describe a listing. A draft has the text of each. */
export const CONTROLS = [
  ...Object.keys(RequiredFields.shape),
  ...Object.keys(DETAIL_LABELS),
  ...SIDES.map(([control]) => control),
  ...QUESTION_CONTROLS,
  ...VARIATION_CONTROLS,
  'postage_profile_id',
  'made_to_order',
  'handling_days',
]

/** What an untouched form has; every other control is empty. */
const UNTOUCHED: Record<string, string> = { made_to_order: 'no', handling_days: String(USUAL_HANDLING_DAYS) }
/** Whether nothing is typed: each control has what an untouched form has. */
export const isUntouched = (typed: ControlText): boolean =>
  CONTROLS.every(control => ['', UNTOUCHED[control]].includes(typed(control)?.trim() ?? ''))

/** A listing as the texts of a form. */
export const listingTexts = (
  { name, category, description, price, stock }: RequiredFields,
  details: WrittenDetails,
  { postage_profile_id, made_to_order, handling_days }: Required<Handling>,
): Record<string, string> => ({
  ...{ name, category, description, price: twoDecimals(price), stock: String(stock) },
  ...textsOf(details),
  postage_profile_id: String(postage_profile_id ?? ''),
  made_to_order: made_to_order ? 'yes' : 'no',
  handling_days: String(handling_days),
})

/** A listing from the texts of a form, as the API takes it. An empty number counts as missing. Includes the stock shown. */
export function listingOf(typed: ControlText): NewListing & Pick<ListingChange, 'stock_shown'> {
  const details = detailsOf(typed)
  // With combinations the stock of the listing is their sum, and that of the form is not used: it counts as unchanged.
  const isSum = (details.variations?.combinations.length ?? 0) > 0
  const shown = typed('stock_shown')
  const text = (name: string) => typed(name) ?? ''
  return {
    name: text('name'),
    category: text('category'),
    description: text('description'),
    price: decimalIn(text('price')),
    stock: numberIn((isSum ? shown : undefined) ?? text('stock')),
    ...(shown === undefined ? {} : { stock_shown: numberIn(shown) }),
    ...details,
    ...handlingOf(typed),
  } satisfies Record<keyof RequiredFields, unknown>
}

/** How it is sent, unless a page without these controls was open. */
function handlingOf(typed: ControlText): Handling {
  const days = typed('handling_days')?.trim()
  if (days === undefined) return {}
  return {
    postage_profile_id: Number(typed('postage_profile_id')) || null,
    made_to_order: typed('made_to_order') === 'yes',
    // An empty field is no number, rather than "as it was".
    handling_days: days === '' ? Number.NaN : Number(days),
  }
}

/** First error of each control; undefined if the texts can be a listing. */
export function validateTexts(typed: ControlText): FieldErrors | undefined {
  const listing = listingOf(typed)
  // A listing that was sold out when the form opened may stay so.
  const rules = listing.stock_shown === 0 ? ListingChange : NewListing
  // Each side, and each part of a question or a variation, has a control of its own.
  const { dimensions: _, questions: __, variations: ___, ...broken } = fieldErrors(rules, listing) ?? {}
  const errors: FieldErrors = {
    ...broken,
    ...validateSides(typed),
    ...validateQuestions(typed),
    ...validateVariations(typed),
  }
  if (hasAmbiguousSeparator(typed('price') ?? '')) errors.price ??= MANY_DECIMALS
  if (hasAmbiguousSeparator(typed('stock') ?? '')) errors.stock ??= STOCK_SEPARATOR
  if (hasAmbiguousSeparator(typed('weight_grams') ?? ''))
    errors.weight_grams ??= 'Weight must be a whole number, without separators'
  return Object.keys(errors).length > 0 ? errors : undefined
}
