import { hasAmbiguousSeparator, twoDecimals } from '#money'
import type { FieldErrors } from '#problem'
import { decimalIn } from '#text'
import { type Profile, ProfileInput } from '../contract.ts'

/** A row of prices as it is typed. `row` tells rows apart, and stays while others are added and removed. */
export interface RateRow {
  row: string
  destination: string
  first: string
  further: string
  days_min: string
  days_max: string
}
export interface PlaceRow {
  row: string
  place: string
  hours: string
}
/** A profile as it is typed. */
export interface ProfileForm {
  /** The version that was opened; '' for a new one, or for that of the page. */
  version: string
  name: string
  from_country: string
  rates: RateRow[]
  places: PlaceRow[]
}

const RATE_FIELDS = ['destination', 'first', 'further', 'days_min', 'days_max'] as const
const PLACE_FIELDS = ['place', 'hours'] as const
/** The name of a control in a row: 'first.3'. */
export const controlOf = (field: string, row: string): string => `${field}.${row}`

/** What a form says, with its empty rows. */
export function formOf(form: FormData): ProfileForm {
  const text = (name: string) => String(form.get(name) ?? '').replaceAll('\r\n', '\n')
  const rows = <K extends string>(kind: string, fields: readonly K[]) =>
    form
      .getAll(kind)
      .map(String)
      .map(row => ({
        row,
        ...(Object.fromEntries(fields.map(field => [field, text(controlOf(field, row))])) as Record<
          K,
          string
        >),
      }))
  return {
    version: text('version'),
    name: text('name'),
    from_country: text('from_country'),
    rates: rows('rate', RATE_FIELDS),
    places: rows('place', PLACE_FIELDS),
  }
}

/** The form of a saved profile, or of a new one with an empty row. */
export function typedOf(profile: Profile | undefined): ProfileForm {
  if (!profile)
    return withRow({ version: '', name: '', from_country: '', rates: [], places: [] }, 'rate').form
  const { version, name, from_country, rates, pickup_places } = profile
  return {
    version: String(version),
    name,
    from_country: from_country ?? '',
    rates: rates.map(({ destination, first, further, days_min, days_max }, index) => ({
      ...{ row: String(index), destination, first: twoDecimals(first), further: twoDecimals(further) },
      ...{ days_min: String(days_min), days_max: String(days_max) },
    })),
    places: pickup_places.map(({ place, hours }, index) => ({ row: String(index), place, hours })),
  }
}

/** Adds an empty row. @returns the form, and the name of the row's first control */
export function withRow(form: ProfileForm, kind: 'rate' | 'place'): { form: ProfileForm; focus: string } {
  const rows = kind === 'rate' ? form.rates : form.places
  const row = String(Math.max(-1, ...rows.map(({ row }) => Number(row) || 0)) + 1)
  if (kind === 'place')
    return {
      form: { ...form, places: [...form.places, { row, place: '', hours: '' }] },
      focus: controlOf('place', row),
    }
  const empty = { row, destination: '', first: '', further: '', days_min: '', days_max: '' }
  return { form: { ...form, rates: [...form.rates, empty] }, focus: controlOf('destination', row) }
}

export const withoutRow = (form: ProfileForm, kind: 'rate' | 'place', row: string): ProfileForm =>
  kind === 'rate'
    ? { ...form, rates: form.rates.filter(each => each.row !== row) }
    : { ...form, places: form.places.filter(each => each.row !== row) }

/** Rows in which something is typed. */
const filled = <R extends { row: string }>(rows: R[]): R[] =>
  rows.filter(({ row, ...fields }) => Object.values(fields).some(text => String(text).trim() !== ''))

/** As the API takes it, without empty rows; an empty number counts as missing. */
export function parseProfile({ name, from_country, rates, places }: ProfileForm): ProfileInput {
  return {
    name,
    from_country: from_country || null,
    rates: filled(rates).map(({ destination, first, further, days_min, days_max }) => ({
      ...{ destination, first: decimalIn(first), further: decimalIn(further) },
      ...{ days_min: decimalIn(days_min), days_max: decimalIn(days_max) },
    })),
    pickup_places: filled(places).map(({ place, hours }) => ({ place, hours })),
  }
}

/** First error of each control, by its name; of all rows together by 'rates' and 'pickup_places'. */
export function validateProfile(data: FormData): FieldErrors | undefined {
  const form = formOf(data)
  const rows: Partial<Record<PropertyKey, { row: string }[]>> = {
    rates: filled(form.rates),
    pickup_places: filled(form.places),
  }
  const errors: FieldErrors = {}
  for (const { path, message } of ProfileInput.safeParse(parseProfile(form)).error?.issues ?? []) {
    const [list = '', index, field] = path
    const row = typeof index === 'number' ? rows[list]?.[index] : undefined
    errors[row ? controlOf(String(field), row.row) : String(list)] ??= message
  }
  for (const { row, first, further } of form.rates)
    for (const [field, typed] of Object.entries({ first, further }))
      if (hasAmbiguousSeparator(typed)) errors[controlOf(field, row)] ??= 'At most two decimals'
  return Object.keys(errors).length > 0 ? errors : undefined
}
