import { expect, test } from 'vitest'
import type { ListingPostage } from './contract.ts'
import { postageText, readyText } from './postage-text.ts'

const rate = (destination: string, first: number, further: number, days_min = 2, days_max = 6) => ({
  ...{ destination, first, further, days_min, days_max },
})
const postage = (changes: Partial<ListingPostage>): ListingPostage => ({
  ...{ postage_profile_id: null, made_to_order: false, handling_days: 3, from_country: null },
  ...{ rates: [rate('EU', 4.5, 1), rate('PT', 3, 0), rate('US', 20, 12, 10, 30)], pickup_places: [] },
  ...changes,
})
const stall = { id: 1, place: 'Market hall', hours: '' }
const arrangement = { id: 1, place: 'Pick-up or by arrangement', hours: '' }

test.each<[string, Partial<ListingPostage>, string | null, string]>([
  [
    'a country with a price of its own',
    {},
    'PT',
    'Postage to Portugal: $3.00, each further piece free. Arrives in 3–9 days.',
  ],
  [
    'another of the European Union',
    { handling_days: 1 },
    'SE',
    'Postage to Sweden: $4.50, each further piece $1.00. Arrives in 3–7 days.',
  ],
  [
    'what is made to order',
    { made_to_order: true, handling_days: 20 },
    'US',
    'Postage to United States: $20.00, each further piece $12.00. Arrives in 30–50 days.',
  ],
  [
    'free postage',
    { rates: [rate('*', 0, 0, 1, 1)], handling_days: 1 },
    'JP',
    'Postage to Japan: free. Arrives in 2 days.',
  ],
  ['a country without a price', {}, 'JP', 'Not sent to Japan'],
  ['no chosen country', {}, null, 'Postage from $3.00 · choose your country'],
  ['pick-up alone', { rates: [], pickup_places: [stall] }, 'PT', 'Not sent by post'],
  [
    'the profile that a seller has from the start',
    { rates: [], pickup_places: [arrangement], made_to_order: true, handling_days: 1 },
    'PT',
    'Collect it, or arrange delivery with its maker',
  ],
])('postage of %s', (_, changes, country, text) => {
  expect(postageText(postage(changes), country)).toBe(text)
})

test.each<[Partial<ListingPostage>, string]>([
  [{}, 'Ready in 1–3 days'],
  [{ handling_days: 1 }, 'Ready in 1 day'],
  [{ made_to_order: true, handling_days: 20 }, 'Made to order in 20 days'],
])('when a piece is ready: %o', (changes, text) => {
  expect(readyText(postage(changes))).toBe(text)
})
