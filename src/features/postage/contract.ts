import * as z from 'zod/mini'
import { Id, Money } from '#contract'

/** Everywhere that has no row of its own. */
export const ELSEWHERE = '*'
export const EU = 'EU'

/** Member states of the European Union, ISO 3166-1 alpha-2 (europa.eu, 27 since 2020). */
const EU_COUNTRIES = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)

/** Postage to a country, to the EU, or to everywhere else. */
export const Rate = z.object({
  destination: z.string(),
  /** Of the first piece of a parcel. */
  first: Money,
  /** Of each further piece. */
  further: Money,
  days_min: z.number(),
  days_max: z.number(),
})
export type Rate = z.infer<typeof Rate>

/** Where pieces can be collected, free of charge. */
export const PickupPlace = z.object({ id: Id, place: z.string(), hours: z.string() })
export type PickupPlace = z.infer<typeof PickupPlace>

/** The rate to a country: of the country itself, else of the EU, else of everywhere else. */
export const rateTo = <R extends { destination: string }>(rates: R[], country: string): R | undefined => {
  const named = (destination: string) => rates.find(rate => rate.destination === destination)
  return named(country) ?? (EU_COUNTRIES.has(country) ? named(EU) : undefined) ?? named(ELSEWHERE)
}

/** A line of an order with its postage, integer cents. */
interface PostedLine {
  quantity: number
  first_cents: number
  further_cents: number
}

/**
 * Postage of the pieces of one seller, integer cents: the dearest first piece once, all others as further pieces. Of equally
 * dear first pieces it is the one whose further pieces are dearest. The rule is that of Etsy's postage profiles.
 */
export function postageOf(lines: PostedLine[]): number {
  const [dearest] = [...lines].sort(
    (a, b) => b.first_cents - a.first_cents || b.further_cents - a.further_cents,
  )
  if (!dearest) return 0
  const further = lines.reduce((sum, line) => sum + line.further_cents * line.quantity, 0)
  return dearest.first_cents + further - dearest.further_cents
}
