import * as z from 'zod/mini'
import { Done, defineCalls, expectedVersion, Id, idempotent, ListQuery, Moment, PathId } from '#contract'
import { Image, MAX_IMAGES, ONE_PHOTO, PhotoOrder, TOO_MANY } from '#images/contract.ts'
import { Listing } from '#products/contract.ts'
import { CONTROLS } from '#products/form-listing.ts'
import { isRowControl } from '#products/row-controls.ts'
import { LISTING_BYTES } from '#products/variations-contract.ts'
import { lengthOf } from '#text'

/** Most drafts of one maker. */
export const MAX_DRAFTS = 5_000
/**
 * Maximum length of all texts of a draft together, code points: those of a listing with 400 combinations. A single one may be
 * longer than a listing can have it.
 */
const MAX_DRAFT_LENGTH = 60_000
/** Most drafts of a response. Each may have 300 kB. */
export const DRAFTS_AT_ONCE = 24
/** Most drafts that are published at once. */
const MAX_AT_ONCE = 100

const NO_TEXT = 'Each field of a draft must be a text'
const control = z.optional(
  z
    .string(NO_TEXT)
    .check(
      z.refine(
        text => !text.includes('\0') && text.isWellFormed(),
        'A field of a draft contains characters that cannot be stored',
      ),
    ),
)
const lengthOfAll = (fields: DraftFields) =>
  Object.values(fields).reduce((sum, text = '') => sum + lengthOf(text), 0)
const OTHER_FIELDS = 'Fields must be the texts of the form, and nothing else'
/** Texts of the listing form. What is left out is not typed yet. */
const Texts = z.catchall(
  z.object(
    Object.fromEntries(CONTROLS.map(name => [name, control])) as Record<string, typeof control>,
    OTHER_FIELDS,
  ),
  control,
)
/** Texts of the listing form as they were typed, finished or not. */
export const DraftFields = Texts.check(
  z.refine<Record<string, string | undefined>>(
    fields => Object.keys(fields).every(name => CONTROLS.includes(name) || isRowControl(name)),
    OTHER_FIELDS,
  ),
  z.refine<Record<string, string | undefined>>(
    fields => lengthOfAll(fields) <= MAX_DRAFT_LENGTH,
    `A draft can have at most ${MAX_DRAFT_LENGTH.toLocaleString('en-US')} characters. Please make its texts shorter`,
  ),
)
export type DraftFields = z.infer<typeof DraftFields>

/** What can become of a listing of a file. */
export const OUTCOMES = [
  /** A draft is added. */
  'new',
  /** A draft that its maker has not touched says what the file says now, but keeps its stock. */
  'changed',
  /** There is nothing to change. */
  'same',
  /** Its maker has changed the draft, which stays. */
  'edited',
  /** It is a listing already, which stays. */
  'published',
] as const
export type Outcome = (typeof OUTCOMES)[number]

export const Draft = z.object({
  id: Id,
  fields: Texts,
  images: z.array(Image),
  /** What has to be added or mended before it can be published: control of the form → message. */
  missing: z.record(z.string(), z.string()),
  version: z.number(),
  changed_at: Moment,
})
export type Draft = z.infer<typeof Draft>

const one = z.object({ draftId: PathId })
const body = z.object({ fields: DraftFields })
const expected = (means: string) => z.object({ 'expected-version': expectedVersion(means) })
const ACCOUNT = 'Expected-Account must be the id of an account'
const ExpectedAccount = z
  .string(ACCOUNT)
  .check(
    z.regex(/^[1-9]\d{0,15}$/, ACCOUNT),
    z.describe('The account that has begun to write. For another one 403, and nothing is saved.'),
  )
const ids = `Ids must be 1 to ${MAX_AT_ONCE} ids of drafts`

/** The order of a draft's photos. Imported ones may arrive meanwhile. */
const DraftPhotoOrder = z.extend(PhotoOrder, {
  /** Ids of the photos that the caller has seen. Others stay, at the end. Missing: all. */
  known: z.optional(
    z.array(Id, 'Known photos must be a list of ids').check(z.maxLength(MAX_IMAGES, TOO_MANY)),
  ),
})

export const calls = defineCalls({
  'GET /api/drafts/': {
    summary: `Own drafts, last changed first, at most ${DRAFTS_AT_ONCE} at once, and how many there are`,
    query: ListQuery,
    response: z.object({ drafts: z.array(Draft), next_cursor: z.nullable(z.string()), count: z.number() }),
  },
  'POST /api/drafts/': {
    summary: 'Save an unfinished listing. Only its maker sees it',
    headers: z.extend(idempotent('Names this attempt. The same key again changes the draft that it saved.'), {
      'expected-account': z.optional(ExpectedAccount),
    }),
    maxBytes: LISTING_BYTES,
    body,
    response: Draft,
    status: 201,
  },
  'GET /api/drafts/:draftId': { summary: 'One own draft', params: one, response: Draft },
  'PUT /api/drafts/:draftId': {
    summary: 'Replace the fields of a draft',
    params: one,
    headers: expected('Where the draft has another one and other fields: 409, and no change.'),
    maxBytes: LISTING_BYTES,
    body,
    response: Draft,
  },
  'DELETE /api/drafts/:draftId': {
    summary: 'Delete a draft with its photos',
    params: one,
    headers: expected('Where the draft has another one: 409, and it stays.'),
    response: Done,
  },
  'GET /api/drafts/:draftId/listing': {
    summary: 'The listing that a draft has become',
    params: one,
    response: Listing,
  },
  'POST /api/drafts/:draftId/images': {
    summary: 'Add a photo to a draft (multipart, field "image")',
    params: one,
    headers: idempotent(ONE_PHOTO),
    consumes: 'multipart',
    response: Image,
    status: 201,
  },
  'PUT /api/drafts/:draftId/images': {
    summary:
      'Order the photos of a draft, with their alt texts; those that are left out are removed, if they are known',
    params: one,
    body: DraftPhotoOrder,
    response: Draft,
  },
  'POST /api/drafts/:draftId/publish': {
    summary: 'Publish a draft. Published again, it is the same listing',
    params: one,
    response: Listing,
    status: 201,
  },
  'POST /api/drafts/publish': {
    summary: 'Publish several drafts; one that is not finished does not stop the others',
    body: z.object({
      ids: z
        .array(z.int(ids).check(z.positive(ids)), ids)
        .check(z.minLength(1, ids), z.maxLength(MAX_AT_ONCE, ids)),
    }),
    response: z.object({
      published: z.array(z.object({ id: Id, listing: Id, name: z.string() })),
      /** Drafts that stay, with their reasons. */
      refused: z.array(
        z.object({
          id: Id,
          name: z.string(),
          errors: z.array(z.string()),
          /** Control of the form → message. */
          fields: z.record(z.string(), z.string()),
        }),
      ),
    }),
  },
  'POST /api/products/:id/draft': {
    summary: 'Begin a draft with what a listing of one’s own says, and copies of its photos',
    params: z.object({ id: PathId }),
    response: Draft,
    status: 201,
    cost: 10,
  },
})
