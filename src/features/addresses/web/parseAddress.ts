import { fieldErrors } from '#contract'
import type { FieldErrors } from '#problem'
import { AddressInput } from '../contract.ts'

/** Value of the button that shows the form of the chosen country. It has the name `intent`, and saves nothing. */
export const CHOOSE_COUNTRY = 'country'

/** The address in a form, as the API takes it. */
export function addressOf(form: FormData): AddressInput {
  const text = (name: keyof AddressInput) => String(form.get(name) ?? '')
  return {
    name: text('name'),
    line1: text('line1'),
    line2: text('line2'),
    city: text('city'),
    region: text('region'),
    postal_code: text('postal_code'),
    country: text('country'),
  }
}

/** First error of each field. */
export const validateAddress = (form: FormData): FieldErrors | undefined =>
  fieldErrors(AddressInput, addressOf(form))
