import type { FieldErrors, Problem } from '#problem'

/** What login and signup show of a refusal: messages under their fields, failures of the server as one sentence. */
export function fieldsOf(problem: Problem): FieldErrors {
  if (problem.status >= 500) return { server: 'Something went wrong. Please try again' }
  return problem.fields ?? { server: problem.message }
}
