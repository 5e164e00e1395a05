import type { FieldErrors, Problem } from '#problem'
import { textFieldsOf } from '#ui/form-draft.ts'
import type { ReviewDraft } from '../contract.ts'

/** A form's review as the API takes it; nothing chosen counts as missing. */
export function parseReview(form: FormData): ReviewDraft {
  const stars = form.get('stars')
  // A browser that sends the form itself makes two characters of every line's end.
  const review = String(form.get('review') ?? '').replaceAll('\r\n', '\n')
  return { review, stars: stars ? Number(stars) : (undefined as never) }
}

/** What a refused review form shows: messages under their fields, everything else on top, and what was typed. */
export interface ReviewResult {
  fields?: FieldErrors | undefined
  problems?: string[]
  /** The session has ended. */
  loginNeeded?: boolean
  draft: Record<string, string>
}

/** A refusal by the rules of the fields, found before the server was asked. */
export const brokenReview = (form: FormData, fields: FieldErrors): ReviewResult => ({
  fields,
  draft: textFieldsOf(form),
})

/** A refusal by the server: its own words, or `otherwise` where it has none for people. */
export function refusedReview(form: FormData, problem: Problem, otherwise: string): ReviewResult {
  const { status } = problem
  // A failure has no words for people; a shop that is too busy has.
  const message = status >= 500 && status !== 503 ? otherwise : problem.message
  return { problems: [message], loginNeeded: status === 401, draft: textFieldsOf(form) }
}
