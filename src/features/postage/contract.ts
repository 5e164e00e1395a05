import * as z from 'zod/mini'
import { Country } from '#addresses/contract.ts'
import { countries } from '#addresses/countries.ts'
import {
  Done,
  defineCalls,
  expectedVersion,
  Id,
  idempotent,
  Money,
  optionalText,
  PathId,
  requiredNumber,
  text,
} from '#contract'
import { isWholeCents } from '#money'
import { ELSEWHERE, EU } from './rates.ts'

/** Most profiles of one seller, and most rows of one profile. */
export const MAX_PROFILES = 20
export const MAX_RATES = 60
export const MAX_PLACES = 20
const MAX_POSTAGE = 9_999.99
export const MAX_DAYS = 90

/** A form that was sent again with another profile, as after Back without scripts. @param name of the profile that it saved */
export const savedAlready = (name: string): string =>
  `This form has saved the profile ${name} already. To save another one, send the form again. To change that one, edit it in the list of your profiles`

export const PROFILE_NAME_LENGTH = 60
export const PLACE_LENGTH = 100
export const HOURS_LENGTH = 200

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

/** A holiday that is on today: both days are included, in UTC. */
export const Away = z.object({ until: z.string(), note: z.string() })
export type Away = z.infer<typeof Away>

const price = (label: string) =>
  requiredNumber(`${label} is required`, `${label} must be a number`).check(
    z.nonnegative({ error: `${label} cannot be less than 0`, abort: true }),
    z.maximum(MAX_POSTAGE, { error: `${label} cannot be more than 9,999.99`, abort: true }),
    z.refine(isWholeCents, `${label} cannot have more than two decimals`),
  )
const WRONG_DAYS = `Days must be whole numbers from 0 to ${MAX_DAYS}`
const days = z.int(WRONG_DAYS).check(z.minimum(0, WRONG_DAYS), z.maximum(MAX_DAYS, WRONG_DAYS))

const isKnown = (code: string) => countries.includes(code)
const NO_DESTINATION = 'Choose where this is sent'
/** A row of a profile as its seller writes it. */
const RateInput = z
  .object({
    destination: z
      .string(NO_DESTINATION)
      .check(z.refine(code => code === EU || code === ELSEWHERE || isKnown(code), NO_DESTINATION)),
    first: price('Price of the first piece'),
    further: price('Price of each further piece'),
    days_min: days,
    days_max: days,
  })
  .check(
    z.refine(({ days_min, days_max }) => days_min <= days_max, {
      error: 'The most days cannot be fewer than the least',
      path: ['days_max'],
    }),
  )

const PlaceInput = z.object({
  place: text('Place', {
    required: 'Place is required',
    max: [PLACE_LENGTH, `Place cannot be more than ${PLACE_LENGTH} characters`],
  }),
  hours: optionalText('Hours', HOURS_LENGTH),
})

const NO_RATES = 'Rates must be a list'
const NO_PLACES = 'Pick-up places must be a list'
const isOnce = (values: string[]) => new Set(values).size === values.length

/** A profile as its seller writes it, with all its rows. */
export const ProfileInput = z
  .object({
    name: text('Name', {
      required: 'Name is required',
      max: [PROFILE_NAME_LENGTH, `Name cannot be more than ${PROFILE_NAME_LENGTH} characters`],
    }),
    from_country: z.optional(z.nullable(Country)),
    rates: z.array(RateInput, NO_RATES).check(
      z.maxLength(MAX_RATES, `A profile has at most ${MAX_RATES} prices`),
      z.refine(rates => isOnce(rates.map(({ destination }) => destination)), {
        error: 'Each country can have one price only',
      }),
    ),
    pickup_places: z.array(PlaceInput, NO_PLACES).check(
      z.maxLength(MAX_PLACES, `A profile has at most ${MAX_PLACES} pick-up places`),
      z.refine(places => isOnce(places.map(({ place }) => place)), {
        error: 'Each pick-up place can be named once only',
      }),
    ),
  })
  .check(
    z.refine(({ rates, pickup_places }) => rates.length + pickup_places.length > 0, {
      error: 'Add a price or a pick-up place: nothing can be ordered otherwise',
      path: ['rates'],
    }),
  )
export type ProfileInput = z.infer<typeof ProfileInput>

/** Refusal of a change that was begun before another one. */
export const PROFILE_CHANGED =
  'This profile was changed meanwhile. Save again to replace it with what you see here, or load the page again'

export const Profile = z.object({
  id: Id,
  name: z.string(),
  /** Rises with each change of its name, country, prices and places. */
  version: z.number(),
  /** Of the listings that name no other. */
  is_default: z.boolean(),
  /** Where parcels come from. Null if not said. */
  from_country: z.nullable(z.string()),
  rates: z.array(Rate),
  pickup_places: z.array(PickupPlace),
  /** Number of listings that name it. */
  listings: z.number(),
})
export type Profile = z.infer<typeof Profile>

/** How a listing reaches its shopper. */
export const ListingPostage = z.object({
  /** The profile of the listing. Null for the default one. */
  postage_profile_id: z.nullable(Id),
  made_to_order: z.boolean(),
  /** Most days until it is ready to send. */
  handling_days: z.number(),
  from_country: z.nullable(z.string()),
  rates: z.array(Rate),
  pickup_places: z.array(PickupPlace),
  /** While its seller is on holiday. */
  away: z.optional(Away),
})
export type ListingPostage = z.infer<typeof ListingPostage>

const one = z.object({ profileId: PathId })
const Chosen = z.object({ country: z.nullable(z.string()) })

export const calls = defineCalls({
  'GET /api/postage/': {
    summary: `Own postage profiles, at most ${MAX_PROFILES}, oldest first`,
    response: z.object({ profiles: z.array(Profile) }),
  },
  'POST /api/postage/': {
    summary: 'Add a postage profile; the first one is the default',
    headers: idempotent(
      'Names this sending. The same key again changes the profile that it added; 422 with another name.',
    ),
    body: ProfileInput,
    response: Profile,
    status: 201,
  },
  'PUT /api/postage/:profileId': {
    summary: 'Replace a postage profile with its prices and pick-up places; orders keep theirs',
    params: one,
    headers: z.object({
      'expected-version': expectedVersion('If it was changed since, nothing is replaced.'),
    }),
    body: ProfileInput,
    response: Profile,
  },
  'PUT /api/postage/:profileId/default': {
    summary: 'Make a postage profile the default: of all listings that name no other',
    params: one,
    response: Profile,
  },
  'DELETE /api/postage/:profileId': {
    summary: 'Delete a postage profile, except the default: its listings then have that one',
    params: one,
    response: Done,
  },
  'GET /api/products/:id/postage': {
    summary: 'Postage of a listing, pick-up places, and when it is ready',
    visibility: 'public',
    params: z.object({ id: PathId }),
    response: ListingPostage,
  },
  'GET /api/country': {
    summary: 'The country that this browser has chosen for postage (cookie `country`); null: none',
    response: Chosen,
  },
  'PUT /api/country': {
    summary: 'Choose the country that postage is shown for; null forgets it',
    body: z.object({ country: z.nullable(Country) }),
    response: Chosen,
  },
})
