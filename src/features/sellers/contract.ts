import * as z from 'zod/mini'
import { SHOP_NAME_LENGTH, sellerParams } from '#accounts/seller-path.ts'
import { Done, defineCalls, Id, Moment, optionalText } from '#contract'
import { Image } from '#images/contract.ts'
import { Away } from '#postage/contract.ts'
import { lengthOf } from '#text'
import { directoryCalls } from './directory-contract.ts'
import { shopPageCalls } from './shop-page-contract.ts'

export const WORDS_LENGTH = 500
export const PLACE_LENGTH = 80
export const NOTE_LENGTH = 200
const SHORTEST_NAME = 3

/** A seller's public profile. */
export const Shop = z.object({
  /** The seller's user id. */
  id: Id,
  username: z.string(),
  /** The name of the shop, '' if it has none. */
  name: z.string(),
  /** The path of that name, which leads to this page: '/shops/wren-daughter'. '' without a name. */
  address: z.string(),
  /** What cards call the seller: first and last name, or `name`, or the username. */
  display_name: z.string(),
  /** Whether cards show first and last name. */
  shows_name: z.boolean(),
  /** Self-description, '' if empty. */
  words: z.string(),
  /** Location in free text, '' if empty. */
  place: z.string(),
  picture: z.nullable(Image),
  /** Time of signup. */
  member_since: Moment,
  /** Mean stars of all their listings with one decimal, null without reviews. */
  rating: z.nullable(z.number()),
  review_count: z.number(),
  /** Whether their page says how they handle returns. */
  says_returns: z.boolean(),
  /** Whether they let people write to them here, without an order. */
  takes_messages: z.boolean(),
  /** While they are on holiday. */
  away: z.optional(Away),
})
export type Shop = z.infer<typeof Shop>

/** Refusal of a shop name without a letter. */
export const NAMELESS = 'Shop name must have a letter'
/** Letters, digits and some signs. What is not seen can only join letters. */
const NAME_SIGNS =
  /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N} &'’.,+!()–-]|(?<=[\p{L}\p{M}])[\u200c\u200d](?=\p{L}))*$/u

/** The name of a shop; '' for none. */
const ShopName = optionalText('Shop name', SHOP_NAME_LENGTH).check(
  z.refine(
    name => name === '' || lengthOf(name) >= SHORTEST_NAME,
    `Shop name must be between ${SHORTEST_NAME} and ${SHOP_NAME_LENGTH} characters`,
  ),
  z.refine(
    name => NAME_SIGNS.test(name),
    "Shop name can have letters, digits, spaces and & ' . , + ! ( ) - only",
  ),
  z.refine(name => name === '' || /\p{L}/u.test(name), NAMELESS),
)

/** The profile as its seller edits it. What is optional and left out stays as it is. */
export const ShopInput = z.object({
  words: optionalText('About you', WORDS_LENGTH),
  place: optionalText('Where you are', PLACE_LENGTH),
  /** Unique: so are names that look alike. */
  name: z.optional(ShopName),
  /** Cards show first and last name. */
  shows_name: z.optional(z.boolean('Showing your name must be true or false')),
})
export type ShopInput = z.infer<typeof ShopInput>

/** A day in UTC, 'YYYY-MM-DD'. */
const day = (label: string) => {
  const wrong = `${label} must be a day`
  return z.string(wrong).check(
    z.regex(/^2\d{3}-\d{2}-\d{2}$/, { error: wrong, abort: true }),
    // The 31st of a shorter month is another day.
    z.refine(text => {
      const moment = new Date(`${text}T00:00Z`)
      return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text)
    }, wrong),
  )
}
/** Refusal of a holiday that is over. */
export const OVER = 'The last day cannot be in the past'
/** When a seller takes no orders, from the first day to the last, both included. */
export const HolidayInput = z
  .object({ from: day('First day'), until: day('Last day'), note: optionalText('Note', NOTE_LENGTH) })
  .check(
    z.refine(({ from, until }) => from <= until, {
      error: 'The last day cannot be before the first',
      path: ['until'],
    }),
  )
export type HolidayInput = z.infer<typeof HolidayInput>
/** `away`: it has begun. */
export const Holiday = z.object({ from: z.string(), until: z.string(), note: z.string(), away: z.boolean() })
export type Holiday = z.infer<typeof Holiday>

export const calls = defineCalls({
  ...directoryCalls,
  ...shopPageCalls,
  'GET /api/shops/:username': {
    summary: 'A maker',
    visibility: 'public',
    params: sellerParams,
    response: Shop,
  },
  'PUT /api/shops/:username': {
    summary: 'Say something of oneself',
    params: sellerParams,
    body: ShopInput,
    response: Shop,
  },
  'POST /api/shops/:username/picture': {
    summary: 'Set the own picture (multipart, field "image"; no pdf)',
    params: sellerParams,
    consumes: 'multipart',
    response: Image,
    status: 201,
  },
  'DELETE /api/shops/:username/picture': {
    summary: 'Remove the own picture; none is no error',
    params: sellerParams,
    response: Done,
  },
  'GET /api/holiday/': {
    summary: 'The own holiday that is on or still comes; null: none',
    response: z.object({ holiday: z.nullable(Holiday) }),
  },
  'PUT /api/holiday/': {
    summary: 'Go on holiday: nothing of one’s own can be ordered on these days',
    body: HolidayInput,
    response: Holiday,
  },
  'DELETE /api/holiday/': {
    summary: 'End the own holiday, or call it off; none is no error',
    response: Done,
  },
})
