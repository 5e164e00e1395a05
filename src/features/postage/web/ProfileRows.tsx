import type { FieldErrors } from '#problem'
import { SelectField, TextField } from '#ui/fields.tsx'
import { HOURS_LENGTH, MAX_DAYS, PLACE_LENGTH } from '../contract.ts'
import { ELSEWHERE, EU } from '../rates.ts'
import { CountryOptions } from './CountryOptions.tsx'
import { controlOf, type PlaceRow, type RateRow } from './parseProfile.ts'

interface RowProps<R> {
  typed: R
  /** From 1. */
  number: number
  errors: FieldErrors
}

/** Removes a row; without scripts the page is drawn again. */
const RemoveRow = ({ kind, row, label }: { kind: 'rate' | 'place'; row: string; label: string }) => (
  <button
    className="button quiet"
    type="submit"
    name="intent"
    value={`remove-${kind}.${row}`}
    aria-label={label}
  >
    Remove
  </button>
)

/** The price to one country. */
export function RateFields({ typed, number, errors }: RowProps<RateRow>) {
  const field = (name: Exclude<keyof RateRow, 'row'>) => {
    const control = controlOf(name, typed.row)
    return { name: control, defaultValue: typed[name], error: errors[control] }
  }
  const price = { unit: '$', type: 'text', inputMode: 'decimal' } as const
  const days = { type: 'number', inputMode: 'numeric', step: 1, min: 0, max: MAX_DAYS } as const
  return (
    <fieldset className="profile-row">
      <legend>{`Price ${number}`}</legend>
      <input type="hidden" name="rate" value={typed.row} />
      <SelectField label="Sent to" {...field('destination')}>
        <option value="">Select a country</option>
        <option value={ELSEWHERE}>Everywhere else</option>
        <option value={EU}>European Union</option>
        <CountryOptions />
      </SelectField>
      <div className="four">
        <TextField label="First piece, $" {...price} {...field('first')} />
        <TextField label="Each further, $" {...price} {...field('further')} />
        <TextField label="Days, least" {...days} {...field('days_min')} />
        <TextField label="Days, most" {...days} {...field('days_max')} />
      </div>
      <RemoveRow kind="rate" row={typed.row} label={`Remove price ${number}`} />
    </fieldset>
  )
}

/** A place where pieces can be collected. */
export function PlaceFields({ typed, number, errors }: RowProps<PlaceRow>) {
  const field = (name: 'place' | 'hours') => {
    const control = controlOf(name, typed.row)
    return { name: control, defaultValue: typed[name], error: errors[control] }
  }
  return (
    <fieldset className="profile-row">
      <legend>{`Pick-up place ${number}`}</legend>
      <input type="hidden" name="place" value={typed.row} />
      <TextField
        label="Place"
        hint="Such as a market, with its address"
        limit={PLACE_LENGTH}
        {...field('place')}
      />
      <TextField label="Hours" hint="When you are there" limit={HOURS_LENGTH} {...field('hours')} />
      <RemoveRow kind="place" row={typed.row} label={`Remove pick-up place ${number}`} />
    </fieldset>
  )
}
