import { countryName } from '#addresses/countries.ts'
import { dollars } from '#money'
import type { ListingPostage, Rate } from './contract.ts'
import { BY_ARRANGEMENT, ELSEWHERE, EU, rateTo } from './rates.ts'

/** 'Portugal', 'European Union', 'Everywhere else'. */
export const destinationName = (destination: string): string => {
  if (destination === ELSEWHERE) return 'Everywhere else'
  return destination === EU ? 'European Union' : countryName(destination)
}

/** '2–6 days', '1 day'. */
export const daysText = (min: number, max: number): string => {
  if (min < max) return `${min}–${max} days`
  return max === 1 ? '1 day' : `${max} days`
}

export const priceText = (price: number): string => (price === 0 ? 'free' : dollars(price))

type Handling = Pick<ListingPostage, 'made_to_order' | 'handling_days'>

/** Fewest days until a piece is ready: what is made to order takes its time. */
const leastDays = ({ made_to_order, handling_days }: Handling) => (made_to_order ? handling_days : 1)

/** 'Ready in 1–3 days', 'Made to order in 20 days'. */
export const readyText = (handling: Handling): string =>
  `${handling.made_to_order ? 'Made to order' : 'Ready'} in ${daysText(leastDays(handling), handling.handling_days)}`

/** Whether the seller has said nothing of delivery yet. */
export const isByArrangement = ({
  rates,
  pickup_places,
}: Pick<ListingPostage, 'rates' | 'pickup_places'>): boolean =>
  rates.length === 0 && pickup_places.every(({ place }) => place === BY_ARRANGEMENT)

/** What postage of one piece costs, and when it arrives; without a country the cheapest known. */
export function postageText(postage: ListingPostage, country: string | null): string {
  const { rates, handling_days } = postage
  if (isByArrangement(postage)) return 'Collect it, or arrange delivery with its maker'
  if (rates.length === 0) return 'Not sent by post'
  if (country === null) {
    const least = Math.min(...rates.map(({ first }) => first))
    return `Postage ${least === 0 ? 'free to some countries' : `from ${dollars(least)}`} · choose your country`
  }
  const rate = rateTo(rates, country)
  if (!rate) return `Not sent to ${countryName(country)}`
  const arrives = daysText(leastDays(postage) + rate.days_min, handling_days + rate.days_max)
  return `Postage to ${countryName(country)}: ${costText(rate)}. Arrives in ${arrives}.`
}

const costText = ({ first, further }: Rate) =>
  first === 0 && further === 0 ? 'free' : `${priceText(first)}, each further piece ${priceText(further)}`
