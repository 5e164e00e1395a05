import * as z from 'zod/mini'
import { Done, defineCalls, figure, Id, Moment, PathId, text } from '#contract'

export const REVIEW_LENGTH = { min: 2, max: 2000 } as const

export const Review = z.object({
  id: Id,
  user_id: Id,
  product_id: Id,
  review: z.string(),
  stars: z.number(),
  first_name: z.string(),
  last_name: z.string(),
  createdAt: Moment,
})
export type Review = z.infer<typeof Review>

const STARS = 'Stars must be between 1 and 5'
const Stars = figure(STARS, STARS).check(
  z.refine(value => Number.isInteger(value) && value >= 1 && value <= 5, STARS),
)

const draft = (message: string) =>
  z.object({
    review: text('Review', {
      required: message,
      min: [REVIEW_LENGTH.min, message],
      max: [REVIEW_LENGTH.max, message],
    }),
    stars: Stars,
  })

/** The two messages differ by a space on purpose: the specification has it so. */
export const NewReview = draft('Reviews must be between 2 and  2000 characters')
export const EditedReview = draft('Reviews must be between 2 and 2000 characters')
export type ReviewDraft = z.infer<typeof NewReview>

export const ONE_REVIEW = 'You can only leave one review per product.'
export const LOGIN_TO_REVIEW = 'You must be logged in to leave a review.'
export const LOGIN_TO_EDIT = 'You must be logged in to edit a review.'
export const LOGIN_TO_DELETE = 'You must be logged in to delete a review.'
export const NOTHING_TO_EDIT = 'You do not have a review to edit'
export const NOTHING_TO_DELETE = 'You do not have a review to delete'

const ofProduct = z.object({ productId: PathId })
/** Ids are unique across the shop, so {id} may name the review or the product it is about. */
const reviewOrProduct = z.object({ id: PathId })

export const calls = defineCalls({
  'GET /api/reviews/:productId/reviews': {
    summary: 'Reviews of a listing, newest first',
    concerns: 'everybody',
    params: ofProduct,
    answer: z.array(Review),
  },
  'POST /api/reviews/:productId/create-review': {
    summary: 'Leave a review',
    params: ofProduct,
    body: NewReview,
    answer: Review,
    status: 201,
  },
  'POST /api/reviews/:id/edit-review/': {
    summary: 'Edit the own review, named by its id or its listing’s',
    params: reviewOrProduct,
    body: EditedReview,
    answer: Review,
  },
  'DELETE /api/reviews/:id/delete-review': {
    summary: 'Delete the own review, named by its id or its listing’s',
    params: reviewOrProduct,
    answer: Done,
  },
})
