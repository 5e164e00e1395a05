import * as z from 'zod/mini'
import { Done, defineCalls, Id, Moment, optionalText, text } from '#contract'
import { Image } from '#images/contract.ts'

export const WORDS_LENGTH = 500
export const PLACE_LENGTH = 80

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
})
export type Shop = z.infer<typeof Shop>

/** The profile as its seller edits it. */
export const ShopDraft = z.object({
  words: optionalText('About you', WORDS_LENGTH),
  place: optionalText('Where you are', PLACE_LENGTH),
})
export type ShopDraft = z.infer<typeof ShopDraft>

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
})
