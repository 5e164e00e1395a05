import type { FieldErrors, Problem } from '#problem'

/** Messages under their fields; a server failure as one sentence. */
export function fieldsOf(problem: Problem): FieldErrors {
  if (problem.status >= 500) return { server: 'Something went wrong. Please try again' }
  return problem.fields ?? { server: problem.message }
}
