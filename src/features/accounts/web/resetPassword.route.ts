import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { fieldErrors } from '#contract'
import type { FieldErrors, Problem } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { leadsTo } from '#ui/flash.ts'
import type { Handle } from '#ui/page-title.ts'
import { COMMON_PASSWORD, NewPassword } from '../contract.ts'
import { fieldsOf, withConfirmation } from './fieldsOf.ts'

export interface ResetResult {
  /** Whether the link can be used. */
  usable: boolean
  errors?: FieldErrors
}

const UNUSABLE: ResetResult = { usable: false }
const tokenIn = ({ request }: Pick<LoaderFunctionArgs, 'request'>) =>
  new URL(request.url).searchParams.get('token') ?? ''

/** Whether a problem is that of the link: its token is malformed or cannot be used. */
const isUnusable = ({ status }: Problem) => status === 400 || status === 410

/** Checks the link, and changes nothing: programs open links of letters in advance. */
export async function loader(args: LoaderFunctionArgs) {
  const body = { token: tokenIn(args) }
  const { problem } = await attempt(apiOf(args)('POST /api/auth/reset-password/check', { body }))
  if (problem && !isUnusable(problem)) throw problem
  return problem ? data(UNUSABLE, 410) : ({ usable: true } satisfies ResetResult)
}

/** Sets the password, and leads to the login. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const errors = validateReset(form)
  if (errors) return data({ usable: true, errors } satisfies ResetResult, 400)
  const body = { token: tokenIn(args), new_password: String(form.get('new_password')) }
  const { response, problem } = await attempt(apiOf(args)('POST /api/auth/reset-password', { body }))
  if (!problem) return leadsTo('/login', response.passkeys === 'none' ? 'reset' : response.passkeys)
  if (problem.message === COMMON_PASSWORD)
    return data({ usable: true, errors: { new_password: COMMON_PASSWORD } } satisfies ResetResult, 400)
  if (isUnusable(problem)) return data(UNUSABLE, 410)
  return data({ usable: true, errors: fieldsOf(problem) } satisfies ResetResult, problem.status || 503)
}

/** Errors of the form by field, with the confirmation. */
export const validateReset = (form: FormData): FieldErrors | undefined =>
  withConfirmation(form, 'new_password', fieldErrors(NewPassword, Object.fromEntries(form)))

// The address has the token.
export const handle: Handle = { title: () => 'Set a new password', referrerPolicy: 'strict-origin' }
