import * as z from 'zod/mini'
import { Done, defineCalls, Id, Moment, optionalText, text } from '#contract'
import { Image } from '#images/contract.ts'
import { Away } from '#postage/contract.ts'

export const WORDS_LENGTH = 500
export const PLACE_LENGTH = 80
export const NOTE_LENGTH = 200

/** A seller's public profile. */
export const Shop = z.object({
  /** The seller's user id. */
  id: Id,
  username: z.string(),
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
  /** While they are on holiday. */
  away: z.optional(Away),
})
export type Shop = z.infer<typeof Shop>

/** The profile as its seller edits it. */
export const ShopDraft = z.object({
  words: optionalText('About you', WORDS_LENGTH),
  place: optionalText('Where you are', PLACE_LENGTH),
})
export type ShopDraft = z.infer<typeof ShopDraft>

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
/** When a seller takes no orders, from the first day to the last, both included. */
export const HolidayDraft = z
  .object({ from: day('First day'), until: day('Last day'), note: optionalText('Note', NOTE_LENGTH) })
  .check(
    z.refine(({ from, until }) => from <= until, {
      error: 'The last day cannot be before the first',
      path: ['until'],
    }),
  )
export type HolidayDraft = z.infer<typeof HolidayDraft>
/** `away`: it has begun. */
export const Holiday = z.object({ from: z.string(), until: z.string(), note: z.string(), away: z.boolean() })
export type Holiday = z.infer<typeof Holiday>

const unknown = 'There is no such maker'
/** Ignores case. 404 for text that cannot be a username. */
const ofMaker = z.object({
  username: text('Username', { required: unknown, max: [30, unknown], trim: false }),
})

export const calls = defineCalls({
  'GET /api/shops/:username': { summary: 'A maker', visibility: 'public', params: ofMaker, answer: Shop },
  'PUT /api/shops/:username': {
    summary: 'Say something of oneself',
    params: ofMaker,
    body: ShopDraft,
    answer: Shop,
  },
  'POST /api/shops/:username/picture': {
    summary: 'Set the own picture (multipart, field "image"; no pdf)',
    params: ofMaker,
    consumes: 'multipart',
    answer: Image,
    status: 201,
  },
  'DELETE /api/shops/:username/picture': {
    summary: 'Remove the own picture; none is no error',
    params: ofMaker,
    answer: Done,
  },
  'GET /api/holiday/': {
    summary: 'The own holiday that is on or still comes; null: none',
    answer: z.object({ holiday: z.nullable(Holiday) }),
  },
  'PUT /api/holiday/': {
    summary: 'Go on holiday: nothing of one’s own can be ordered on these days',
    body: HolidayDraft,
    answer: Holiday,
  },
  'DELETE /api/holiday/': { summary: 'End the own holiday, or call it off; none is no error', answer: Done },
})
