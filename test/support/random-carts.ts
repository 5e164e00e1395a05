import fc from 'fast-check'
import type { Offer } from '#checkout/delivery.ts'
import type { Id } from '#contract'

/** Carts with pieces of several makers, and what they cost, computed in another way than the shop does. */

interface RandomRate {
  destination: string
  first_cents: number
  further_cents: number
  days_min: number
  days_max: number
}
interface RandomProfile {
  rates: RandomRate[]
  places: string[]
}
export interface RandomSeller {
  profiles: RandomProfile[]
  /** `profile`: index of the line's own. */
  lines: { profile: number; price_cents: number; quantity: number }[]
  /** The place that the shopper has chosen. null: none. */
  wanted: string | null
}
export interface RandomCart {
  sellers: RandomSeller[]
  /** Of the address. null: there is none. */
  country: string | null
}

const PLACES = ['Studio', 'Saturday market', 'Harbour']
/** Of each group of countries that a rate can be for. */
const MEMBERS: Record<string, string[]> = {
  EU: ['ES', 'IE', 'PL'],
  '*': ['ES', 'IE', 'PL', 'US', 'GB', 'NO'],
}

const rate = fc.record({
  destination: fc.constantFrom('*', 'EU', 'ES', 'IE', 'US', 'GB'),
  first_cents: fc.constantFrom(0, 1, 333, 450, 450, 1999, 999_999),
  further_cents: fc.constantFrom(0, 1, 50, 150, 150, 1999),
  days_min: fc.nat({ max: 5 }),
  days_max: fc.integer({ min: 5, max: 30 }),
})
const profile: fc.Arbitrary<RandomProfile> = fc.record({
  rates: fc.uniqueArray(rate, { maxLength: 4, selector: ({ destination }) => destination }),
  places: fc.subarray(PLACES),
})
const seller: fc.Arbitrary<RandomSeller> = fc.array(profile, { minLength: 1, maxLength: 3 }).chain(profiles =>
  fc.record({
    profiles: fc.constant(profiles),
    lines: fc.array(
      fc.record({
        profile: fc.nat({ max: profiles.length - 1 }),
        price_cents: fc.integer({ min: 1, max: 9_999_999 }),
        quantity: fc.integer({ min: 1, max: 30 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    wanted: fc.option(fc.constantFrom(...PLACES)),
  }),
)
export const randomCart: fc.Arbitrary<RandomCart> = fc.record({
  sellers: fc.array(seller, { minLength: 1, maxLength: 4 }),
  country: fc.option(fc.constantFrom('ES', 'IE', 'PL', 'US', 'GB', 'NO'), { freq: 5 }),
})

/** What is expected for the pieces of a seller. */
interface ExpectedPart {
  way: 'post' | 'none' | { place: string }
  pieces_cents: number
  postage_cents: number
}

/** The rule, piece by piece. */
export function expectedPart(
  { profiles, lines, wanted }: RandomSeller,
  country: string | null,
): ExpectedPart {
  const pieces = lines.flatMap(line => Array.from({ length: line.quantity }, () => line))
  let pieces_cents = 0
  for (const piece of pieces) pieces_cents += piece.price_cents
  const common = PLACES.filter(place =>
    pieces.every(piece => profiles[piece.profile]?.places.includes(place)),
  )
  if (wanted !== null && common.includes(wanted))
    return { way: { place: wanted }, pieces_cents, postage_cents: 0 }
  const rates = country === null ? [] : pieces.map(piece => rateOf(profiles[piece.profile], country))
  const dearest = Math.max(...rates.map(rate => rate?.first_cents ?? 0))
  if (country !== null && rates.every(rate => rate !== undefined)) {
    // Each of the dearest pieces may be the first one; the shopper pays the least of these.
    const sums = rates.flatMap((rate, at) => {
      if (rate.first_cents < dearest) return []
      let sum = 0
      for (const [other, { first_cents, further_cents }] of rates.entries())
        sum += other === at ? first_cents : further_cents
      return [sum]
    })
    return { way: 'post', pieces_cents, postage_cents: Math.min(...sums) }
  }
  const [place] = common
  return { way: place === undefined ? 'none' : { place }, pieces_cents, postage_cents: 0 }
}

/** Later rows of this list replace earlier ones. */
function rateOf(profile: RandomProfile | undefined, country: string): RandomRate | undefined {
  let found: RandomRate | undefined
  for (const destination of ['*', 'EU', country]) {
    const covers = destination === country || MEMBERS[destination]?.includes(country)
    found = (covers && profile?.rates.find(rate => rate.destination === destination)) || found
  }
  return found
}

/** A seller's lines as the database offers them. Ids of places are those of their profile. */
export function offersOf({ profiles, lines, wanted }: RandomSeller, seller_id: Id): Offer[] {
  const idOf = (profile: number, place: string) => (profile + 1) * 10 + PLACES.indexOf(place)
  return lines.map((line, index) => ({
    number: index + 1,
    seller_id,
    username: 'ana',
    name: 'ana',
    handling_days: 3,
    profile: `profile ${line.profile}`,
    rates: profiles[line.profile]?.rates ?? [],
    pickup_places: PLACES.filter(place => profiles[line.profile]?.places.includes(place)).map(place => ({
      id: idOf(line.profile, place),
      place,
      hours: '',
    })),
    wanted,
    note: '',
    away_until: null,
    away_note: '',
    address: null,
  }))
}
