import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectedPart, offersOf, randomCart } from '../../../test/support/random-carts.ts'
import { isPickup, type Offer, postageCents, refusalOf, sellerDeliveryOf } from './delivery.ts'
import { deliveryDigest } from './delivery-digest.ts'

const ADDRESS = {
  id: 7,
  name: 'Ben Okafor',
  line1: 'Calle Mayor 1',
  line2: '',
  city: 'Madrid',
  region: '',
  postal_code: '28013',
  country: 'ES',
}

const rate = (destination: string, first_cents: number, further_cents: number) => ({
  destination,
  first_cents,
  further_cents,
  days_min: 2,
  days_max: 5,
})
const places = (...names: string[]) => names.map((place, n) => ({ id: n + 1, place, hours: 'Sat 10–14' }))

function offer(fields: Partial<Offer> = {}): Offer {
  return {
    number: 1,
    seller_id: 1,
    username: 'ana',
    name: 'ana',
    handling_days: 3,
    profile: 'Small parcel',
    rates: [rate('EU', 900, 200)],
    pickup_places: [],
    wanted: null,
    note: '',
    away_until: null,
    address: null,
    ...fields,
  }
}
const units = (...quantities: number[]) => quantities.map((quantity, n) => ({ product_id: n + 1, quantity }))

test('1,000 random carts cost what they cost piece by piece, to the cent', () => {
  const ways = { post: 0, pickup: 0, none: 0 }
  fc.assert(
    fc.property(randomCart, ({ sellers, country }) => {
      for (const [index, seller] of sellers.entries()) {
        const lines = seller.lines.map(({ quantity }, n) => ({ product_id: n + 1, quantity }))
        const part = sellerDeliveryOf(
          offersOf(seller, index + 1),
          lines,
          country === null ? undefined : { country },
        )
        const { way, postage_cents } = expectedPart(seller, country)
        expect(postageCents(part)).toBe(postage_cents)
        if (way === 'none') expect(part.chosen).toBeUndefined()
        else if (way === 'post') expect(part.chosen).toBe(part.post)
        else expect(part.chosen).toMatchObject(way)
        ways[typeof way === 'string' ? way : 'pickup']++
      }
    }),
    { numRuns: 1_000 },
  )
  // Every way was tried often.
  expect(Math.min(...Object.values(ways))).toBeGreaterThan(50)
})

test('the dearest first piece is paid once, all others are further pieces', () => {
  const offers = [
    offer({ number: 1, profile: 'Letter', rates: [rate('*', 300, 100)] }),
    offer({ number: 2, profile: 'Parcel', rates: [rate('ES', 1200, 400), rate('*', 9900, 9900)] }),
  ]
  const { post } = sellerDeliveryOf(offers, units(2, 3), ADDRESS)
  expect(post).toEqual({ postage_cents: 1200 + 2 * 100 + 2 * 400, name: 'Parcel', days_min: 2, days_max: 5 })
})

test('of equally dear first pieces the one with the dearest further pieces is the first', () => {
  const offers = [
    offer({ number: 1, profile: 'Flat', rates: [rate('ES', 500, 0)] }),
    offer({ number: 2, profile: 'Round', rates: [rate('ES', 500, 300)] }),
  ]
  expect(sellerDeliveryOf(offers, units(1, 1), ADDRESS).post).toMatchObject({
    postage_cents: 500,
    name: 'Round',
  })
})

test('what one piece is not sent to, no piece of the maker is sent to', () => {
  const part = sellerDeliveryOf(
    [offer(), offer({ number: 2, rates: [rate('US', 900, 0)] })],
    units(1, 1),
    ADDRESS,
  )
  expect(part).toMatchObject({ by_post: true, post: undefined, chosen: undefined })
  expect(refusalOf(part, ADDRESS)).toMatch(/^ana does not send all of these pieces to this address/)
  expect(refusalOf(part, undefined)).toMatch(/^Choose an address/)
})

test('pieces are collected only where all of them can be, also by the place of another profile', () => {
  const offers = [
    offer({ number: 1, pickup_places: places('Studio', 'Market'), wanted: 'Market' }),
    offer({ number: 2, pickup_places: [{ id: 12, place: 'Market', hours: '' }], wanted: 'Market' }),
  ]
  const { pickup_places, chosen } = sellerDeliveryOf(offers, units(1, 1), ADDRESS)
  expect(pickup_places.map(({ place }) => place)).toEqual(['Market'])
  expect(chosen).toMatchObject({ id: 2, place: 'Market' })
})

test('post is the choice where it is possible, and a place that is gone leads back to it', () => {
  const both = offer({ pickup_places: places('Studio') })
  expect(sellerDeliveryOf([both], units(1), ADDRESS).chosen).toMatchObject({ postage_cents: 900 })
  expect(sellerDeliveryOf([{ ...both, wanted: 'Harbour' }], units(1), ADDRESS).chosen).toMatchObject({
    postage_cents: 900,
  })
  expect(sellerDeliveryOf([{ ...both, wanted: 'Studio' }], units(1), ADDRESS).chosen).toMatchObject({
    place: 'Studio',
  })
  expect(sellerDeliveryOf([both], units(1), undefined).chosen).toMatchObject({ place: 'Studio' })
})

test('pieces without a way in common cannot be ordered together', () => {
  const offers = [offer({ rates: [], pickup_places: places('Studio') }), offer({ number: 2 })]
  const part = sellerDeliveryOf(offers, units(1, 1), ADDRESS)
  expect(refusalOf(part, ADDRESS)).toMatch(/^There is no one way/)
})

test('a maker who is away takes no orders, however they would arrive', () => {
  const part = sellerDeliveryOf(
    [offer({ pickup_places: places('Studio'), away_until: '2026-03-31' })],
    units(1),
    ADDRESS,
  )
  expect(refusalOf(part, ADDRESS)).toMatch(/^ana is away until/)
})

test('the name of a delivery changes with the address, the place and the price, not with the note', () => {
  const delivery = (fields: Partial<Offer>, address = ADDRESS) =>
    deliveryDigest({ address, parts: [sellerDeliveryOf([offer(fields)], units(1), address)] })
  const seen = delivery({})
  expect(delivery({ note: 'A gift' })).toBe(seen)
  expect(delivery({}, { ...ADDRESS, id: 8 })).toBe(seen)
  expect(delivery({}, { ...ADDRESS, line1: 'Calle Mayor 2' })).not.toBe(seen)
  expect(delivery({ rates: [rate('EU', 901, 200)] })).not.toBe(seen)
  const collected = delivery({ pickup_places: places('Studio'), wanted: 'Studio' })
  expect(delivery({ pickup_places: places('Market'), wanted: 'Market' })).not.toBe(collected)
  // Nothing is sent to it.
  const elsewhere = { ...ADDRESS, line1: 'Calle Mayor 2' }
  expect(delivery({ pickup_places: places('Studio'), wanted: 'Studio' }, elsewhere)).toBe(collected)
  const part = sellerDeliveryOf(
    [offer({ pickup_places: places('Studio'), wanted: 'Studio' })],
    units(1),
    ADDRESS,
  )
  expect(part.chosen && isPickup(part.chosen)).toBe(true)
})
