import * as z from 'zod/mini'
import { Done, defineCalls, Id, IdInQuery, ListQuery, Moment, PathId, requiredNumber, text } from '#contract'
import { SORTS } from './sorts.ts'

export const REVIEW_LENGTH = { min: 2, max: 2000 } as const
export const REPLY_LENGTH = 300

export const Review = z.object({
  id: Id,
  user_id: Id,
  product_id: Id,
  review: z.string(),
  stars: z.number(),
  first_name: z.string(),
  last_name: z.string(),
  createdAt: Moment,
  /** Whether its author has ordered the listing and not cancelled. */
  verified: z.boolean(),
  /** Username of its author, if they are a seller. */
  shop: z.nullable(z.string()),
  /** The seller's reply, and when. Null if there is none, or it is hidden. */
  reply: z.nullable(z.string()),
  replied_at: z.nullable(Moment),
  /** Opaque: the list continues after this review. */
  cursor: z.string(),
})
export type Review = z.infer<typeof Review>

/** A review as its author finds it. */
export const OwnReview = z.extend(Review, {
  /** Whether an operator has hidden it from all other users. */
  hidden: z.boolean(),
})
export type OwnReview = z.infer<typeof OwnReview>

const STARS = 'Stars must be between 1 and 5'
const Stars = requiredNumber(STARS, STARS).check(
  z.refine(value => Number.isInteger(value) && value >= 1 && value <= 5, STARS),
)

const reviewInput = (message: string) =>
  z.object({
    review: text('Review', {
      required: message,
      min: [REVIEW_LENGTH.min, message],
      max: [REVIEW_LENGTH.max, message],
    }),
    stars: Stars,
  })

/** The two messages differ by a space, as in the specification. */
export const NewReview = reviewInput('Reviews must be between 2 and  2000 characters')
export const EditedReview = reviewInput('Reviews must be between 2 and 2000 characters')
export type ReviewInput = z.infer<typeof NewReview>

const REPLY = `Replies must be between 1 and ${REPLY_LENGTH} characters`
/** A seller's reply. */
export const Reply = z.object({ reply: text('Reply', { required: REPLY, max: [REPLY_LENGTH, REPLY] }) })

/** Number of reviews with 1 to 5 stars. */
export const Histogram = z.object({ stars: z.array(z.number()) })
export type Histogram = z.infer<typeof Histogram>

export const NO_REVIEW = 'There is no such review'
export const ONE_REVIEW = 'You can only leave one review per product.'
export const HIDDEN_REVIEW =
  'Those who run the shop have hidden your review of this piece. Notices in Settings says why, and how to object'
export const NO_REPLY = 'There is no such reply'
export const HIDDEN_REPLY =
  'Those who run the shop have hidden your reply. Notices in Settings says why, and how to object. You can delete it'
export const LOGIN_TO_REVIEW = 'You must be logged in to leave a review.'
export const LOGIN_TO_EDIT = 'You must be logged in to edit a review.'
export const LOGIN_TO_DELETE = 'You must be logged in to delete a review.'
export const NOTHING_TO_EDIT = 'You do not have a review to edit'
export const NOTHING_TO_DELETE = 'You do not have a review to delete'

const oneToFive = 'Stars must be a whole number from 1 to 5'
/** Filters, order and paging. */
const ReviewQuery = z.extend(ListQuery, {
  sort: z.optional(z.enum(SORTS, `Sort must be one of: ${SORTS.join(', ')}`)),
  stars: z.optional(z.pipe(z.string(oneToFive).check(z.regex(/^[1-5]$/, oneToFive)), z.transform(Number))),
  /** Only the review with this id, or of this author. */
  id: z.optional(IdInQuery),
  author: z.optional(IdInQuery),
})
export type ReviewQuery = z.infer<typeof ReviewQuery>

const ofProduct = z.object({ productId: PathId })
/** Ids are unique across tables, so {id} is the review's or its listing's. */
const reviewOrProduct = z.object({ id: PathId })

export const calls = defineCalls({
  'GET /api/reviews/:productId/reviews': {
    summary: 'Reviews of a listing, newest first by default; to go on, ask with the cursor of the last one',
    visibility: 'public',
    params: ofProduct,
    query: ReviewQuery,
    response: z.array(Review),
    cursorOf: (last: Review) => last.cursor,
  },
  'GET /api/reviews/:productId/histogram': {
    summary: 'How many reviews of a listing gave how many stars',
    visibility: 'public',
    params: ofProduct,
    response: Histogram,
  },
  'GET /api/reviews/:productId/own': {
    summary: 'The own review of a listing, also a hidden one, or none',
    params: ofProduct,
    response: z.array(OwnReview),
  },
  'POST /api/reviews/:productId/create-review': {
    summary: 'Leave a review',
    params: ofProduct,
    body: NewReview,
    response: Review,
    status: 201,
  },
  'POST /api/reviews/:id/edit-review/': {
    summary: 'Edit the own review, named by its id or its listing’s',
    params: reviewOrProduct,
    body: EditedReview,
    response: Review,
  },
  'DELETE /api/reviews/:id/delete-review': {
    summary: 'Delete the own review, named by its id or its listing’s',
    params: reviewOrProduct,
    response: Done,
  },
  'PUT /api/reviews/:id/reply': {
    summary: 'Answer a review of an own listing, or change the answer',
    params: z.object({ id: PathId }),
    body: Reply,
    response: Review,
  },
  'DELETE /api/reviews/:id/reply': {
    summary: 'Take the answer to a review of an own listing back; none is no error',
    params: z.object({ id: PathId }),
    response: Done,
  },
})
