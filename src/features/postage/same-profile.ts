import { isDeepStrictEqual } from 'node:util'
import type { ProfileInput } from './contract.ts'

/** Whether two profiles have the same name, country, prices and places. Ids, versions and order are left aside. */
export const isSameProfile = (one: ProfileInput, other: ProfileInput) =>
  isDeepStrictEqual(valuesOf(one), valuesOf(other))
const valuesOf = ({ name, from_country = null, rates, pickup_places: places }: ProfileInput) => [
  name,
  from_country,
  sorted(rates, ({ destination }) => destination),
  sorted(
    places.map(({ place, hours }) => [place, hours]),
    String,
  ),
]

/** Stored rows have another order than the form where one of them was renamed. */
const sorted = <T>(rows: T[], by: (row: T) => string) =>
  rows.toSorted((one, other) => (by(one) < by(other) ? -1 : 1))
