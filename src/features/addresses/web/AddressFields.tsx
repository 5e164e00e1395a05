import { useEffect, useRef, useState } from 'react'
import type { FieldErrors } from '#problem'
import { SelectField, TextField } from '#ui/fields.tsx'
import { textFieldsOf } from '#ui/text-fields.ts'
import { countries, countryName } from '../countries.ts'
import { type AddressTexts, fieldsOf, labelOf } from '../formats.ts'
import { postalExample, postalHint } from '../postal-codes.ts'
import { CHOOSE_COUNTRY } from './parseAddress.ts'
import './addresses.css'

/** Tokens of `autocomplete`, by which browsers fill the form. */
const TOKENS = {
  name: 'name',
  line1: 'address-line1',
  line2: 'address-line2',
  city: 'address-level2',
  region: 'address-level1',
  postal_code: 'postal-code',
}

/**
 * The fields of an address, in the order of the chosen country and with its labels. A field that the country does not use stays
 * while something is typed in it. Without scripts, a button with the intent CHOOSE_COUNTRY asks for the form of the country: the
 * action must return what was typed. `validateAddress` and `addressOf` read the form.
 */
export function AddressFields({ first, errors }: { first: Partial<AddressTexts>; errors: FieldErrors }) {
  const [typed, setTyped] = useState(first)
  const fields = useRef<HTMLDivElement>(null)
  const read = () => {
    const form = fields.current?.closest('form')
    if (!form) return
    setTyped(textFieldsOf(new FormData(form)))
  }
  const country = typed.country ?? ''
  // It may have been chosen before hydration.
  useEffect(() => {
    if (fields.current?.querySelector('select')?.value !== country) read()
  })
  return (
    <div className="address-fields" ref={fields}>
      <div className="address-country">
        <SelectField
          label="Country"
          name="country"
          autoComplete="country"
          defaultValue={country}
          error={errors.country}
          onChange={read}
        >
          <option value="">Select a country</option>
          {countries.map(code => (
            // A browser may know another name than the server.
            <option key={code} value={code} suppressHydrationWarning>
              {countryName(code)}
            </option>
          ))}
        </SelectField>
        <button
          className="button quiet unscripted"
          type="submit"
          name="intent"
          value={CHOOSE_COUNTRY}
          formNoValidate
        >
          Use this country
        </button>
      </div>
      {fieldsOf(country, typed).map(name => (
        <TextField
          key={name}
          label={labelOf(name, country)}
          name={name}
          autoComplete={TOKENS[name]}
          dir="auto"
          defaultValue={typed[name] ?? ''}
          error={errors[name]}
          {...(name === 'postal_code' ? { hint: hintOf(country, typed.postal_code), onBlur: read } : {})}
        />
      ))}
    </div>
  )
}

/**
 * One short line, whatever is typed: the field is left by pressing a button below it, which must not move away from the
 * pointer.
 */
function hintOf(country: string, code = ''): string | undefined {
  const example = postalExample(country)
  if (!example) return undefined
  const isUsual = code.trim() === '' || postalHint(country, code) === undefined
  return isUsual ? `Usually like ${example}` : `Please check: usually like ${example}`
}
