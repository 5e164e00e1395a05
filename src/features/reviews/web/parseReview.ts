import type { FieldErrors, Problem } from '#problem'
import { type Refusal, refused } from '#ui/flash.ts'
import { textFieldsOf } from '#ui/text-fields.ts'
import type { ReviewInput } from '../contract.ts'

/** A form's review as the API takes it; no stars counts as missing. */
export function parseReview(form: FormData): ReviewInput {
  const stars = form.get('stars')
  const review = String(form.get('review') ?? '')
  return { review, stars: stars ? Number(stars) : (undefined as never) }
}

/** State of a refused review form: field errors, general errors, and the typed values. */
export interface ReviewResult extends Refusal {
  fields?: FieldErrors | undefined
  typed: Record<string, string>
}

/** Refused by the browser's validation. */
export const invalidReview = (form: FormData, fields: FieldErrors): ReviewResult => ({
  fields,
  typed: textFieldsOf(form),
})

/** Response to a form that the server refused: its message, or `otherwise` for a failure. */
export function refusedReview(form: FormData, problem: Problem, otherwise: string) {
  // A failure has no message for people; 503 has.
  const message = problem.status >= 500 && problem.status !== 503 ? otherwise : problem.message
  return refused<ReviewResult>(problem, { problems: [message], typed: textFieldsOf(form) })
}
