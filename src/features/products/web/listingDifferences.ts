import { dollars } from '#money'
import { combinationName } from '../combination-name.ts'
import type { Handling, Listing, NewListing, RequiredFields } from '../contract.ts'
import type { ListingDetails } from '../details-contract.ts'
import { DETAIL_LABELS, detailsOf, textsOf } from '../form-details.ts'
import { QUESTION_CONTROLS } from '../form-questions.ts'
import { typedVariations, VARIATION_CONTROLS } from '../form-variations.ts'
import { SIDES } from '../sides.ts'

/** The text of a control; undefined where the form has no such control. Browsers send line ends as two characters. */
export const controlTextIn = (form: FormData) => (name: string) =>
  form.has(name) ? String(form.get(name)).replaceAll('\r\n', '\n') : undefined

/** Fields whose present value differs from the typed one. */
export function differences(
  form: FormData,
  typed: NewListing,
  now: Listing & Required<Handling>,
  details: ListingDetails,
): string[] {
  const fields: Record<
    Exclude<keyof RequiredFields, 'stock'>,
    [label: string, typed: string, now: string]
  > = {
    name: ['Name', typed.name.trim(), now.name],
    category: ['Category', typed.category, now.category],
    description: ['Description', typed.description.trim(), now.description],
    price: ['Price', dollars(typed.price), dollars(now.price)],
  }
  const delivery: [label: string, typed: unknown, now: unknown][] = [
    ['Postage', typed.postage_profile_id, now.postage_profile_id],
    ['How it is made', typed.made_to_order, now.made_to_order],
    ['Days until it is ready', typed.handling_days, now.handling_days],
  ]
  return [
    ...Object.values(fields)
      .filter(([, typed, now]) => typed !== now)
      .map(([label, , now]) => `${label} is now: ${now}`),
    ...detailsChanged(form, details),
    ...combinationsChanged(form, details),
    ...delivery
      .filter(([, typed, now]) => typed !== undefined && typed !== now)
      .map(([label]) => `${label} was changed`),
  ]
}

/** Control → its label. */
const DETAILS: Record<string, string> = {
  ...DETAIL_LABELS,
  ...Object.fromEntries(SIDES.map(([control, , label]) => [control, label])),
  ...Object.fromEntries(QUESTION_CONTROLS.map(control => [control, 'Personalisation'])),
  ...Object.fromEntries(VARIATION_CONTROLS.map(control => [control, 'Variations'])),
}
/** Compared as a form has them, both read and written again. */
function detailsChanged(form: FormData, now: ListingDetails): string[] {
  const saved = textsOf(now)
  const typed = textsOf({ ...now, ...given(detailsOf(controlTextIn(form))) })
  const changed = Object.entries(DETAILS).flatMap(([control, label]) =>
    typed[control]?.trim() === saved[control] ? [] : [`${label} was changed`],
  )
  return [...new Set(changed)]
}

/** Price and SKU of the combinations that the form and the listing have. Their stock is based on the stock shown. */
function combinationsChanged(form: FormData, { variations }: ListingDetails): string[] {
  const saved = new Map(variations.combinations.map(row => [combinationName(row.options), row]))
  const { combinations = [] } = typedVariations(controlTextIn(form)) ?? {}
  return combinations.flatMap(({ options, price, sku }) => {
    const name = combinationName(options)
    const now = saved.get(name)
    if (!now) return []
    return [
      ...(dollars(price) === dollars(now.price) ? [] : [`Price of ${name} is now: ${dollars(now.price)}`]),
      ...(sku.trim() === now.sku ? [] : [`SKU of ${name} was changed`]),
    ]
  })
}

const given = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
