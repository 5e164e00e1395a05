import { isDeepStrictEqual } from 'node:util'
import type { ProfileDraft } from './contract.ts'

/** Whether two profiles have the same name, country, prices and places. Ids and versions are left aside. */
export const isSameProfile = (one: ProfileDraft, other: ProfileDraft) =>
  isDeepStrictEqual(valuesOf(one), valuesOf(other))
const valuesOf = ({ name, from_country = null, rates, pickup_places: places }: ProfileDraft) => [
  name,
  from_country,
  rates,
  places.map(({ place, hours }) => [place, hours]),
]
