import type { FieldErrors, Problem } from '#problem'

/** Messages under their fields; a server failure as one sentence. */
export function fieldsOf(problem: Problem): FieldErrors {
  if (problem.status >= 500) return { server: 'Something went wrong. Please try again' }
  return problem.fields ?? { server: problem.message }
}

/**
 * Adds the error of a password that was typed differently the second time, which the API never gets.
 * @param password name of the field @param errors those of the other rules
 */
export const withConfirmation = (form: FormData, password: string, errors?: FieldErrors) =>
  form.get(password) === form.get('confirm_password')
    ? errors
    : { ...errors, confirm_password: 'Confirm Password field must be the same as the Password field' }
