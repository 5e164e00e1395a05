import { formatDate } from '#format-date'

// Without schemas: the page of a listing loads this file.

/** Everywhere that has no row of its own. */
export const ELSEWHERE = '*'
export const EU = 'EU'

/** The pick-up place of the profile that a seller has from the start (migration 0054). */
export const BY_ARRANGEMENT = 'Pick-up or by arrangement'

/** Member states of the European Union, ISO 3166-1 alpha-2 (europa.eu, 27 since 2020). */
const EU_COUNTRIES = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)

/** Why a seller takes no orders. @param name as pages show it @param until the last day of the holiday, 'YYYY-MM-DD' */
export const awayRefusal = (name: string, until: string): string =>
  `${name} is away until ${formatDate(until)}, and takes orders again after that day`

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

/** The line whose first piece is dearest; of equally dear ones it is the one whose further pieces are. */
export const dearestOf = <Line extends PostedLine>(lines: Line[]): Line | undefined =>
  lines.toSorted((a, b) => b.first_cents - a.first_cents || b.further_cents - a.further_cents)[0]

/**
 * Postage of the pieces of one seller, integer cents: the dearest first piece once, all others as further pieces. The rule is
 * that of Etsy's postage profiles.
 */
export function postageOf(lines: PostedLine[]): number {
  const dearest = dearestOf(lines)
  if (!dearest) return 0
  const further = lines.reduce((sum, line) => sum + line.further_cents * line.quantity, 0)
  return dearest.first_cents + further - dearest.further_cents
}
