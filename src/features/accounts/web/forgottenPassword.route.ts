import { type ActionFunctionArgs, data } from 'react-router'
import { fieldErrors } from '#contract'
import type { FieldErrors } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import { ForgottenPassword } from '../contract.ts'
import { fieldsOf } from './fieldsOf.ts'

export interface ForgottenResult {
  /** Whether a letter was requested. */
  asked?: true
  errors?: FieldErrors
  email?: string
}

/** Messages of forms sent without scripts. */
export const ASKED = { asked: { asked: true } } satisfies Record<string, ForgottenResult>

/** Requests a link to set a new password. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const email = String(form.get('email') ?? '')
  const errors = validateRequest(form)
  if (errors) return data({ errors, email } satisfies ForgottenResult, 400)
  const { problem } = await attempt(apiOf(args)('POST /api/auth/forgotten-password', { body: { email } }))
  if (problem)
    return data({ errors: fieldsOf(problem), email } satisfies ForgottenResult, problem.status || 503)
  return accepted(args.request, ASKED.asked, 'asked')
}

/** Errors of the form by field. */
export const validateRequest = (form: FormData): FieldErrors | undefined =>
  fieldErrors(ForgottenPassword, Object.fromEntries(form))

export const handle = { title: () => 'Forgot your password?' }
