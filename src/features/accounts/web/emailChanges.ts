import { data } from 'react-router'
import { fieldErrors } from '#contract'
import type { FieldErrors, Problem } from '#problem'
import { type Ask, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import { WRONG_PASSWORD } from '../contract.ts'
import { EMAIL_TAKEN, EmailChange, SAME_EMAIL } from '../email-contract.ts'

/** The result of a form about the e-mail address. */
export interface EmailResult {
  /** Success message. */
  done?: string
  /** Errors of the form with the new address. */
  errors?: FieldErrors
  /** Errors of the other forms. */
  problems?: string[]
  /** The session has ended. */
  loginNeeded?: boolean
  /** What was typed as the new address. */
  typed?: string
}

type Result = { email: EmailResult }

/** Messages of forms sent without scripts. */
export const EMAIL_DONE = {
  sent: { email: { done: 'The letter is on its way. It may take a few minutes' } },
  asked: { email: { done: 'We have sent a letter to your new address' } },
  kept: { email: { done: 'Your e-mail address stays as it is' } },
} satisfies Record<string, Result>

/** Whether a form of the page of the account is about the e-mail address. */
export const isAboutEmail = (form: FormData): boolean => String(form.get('intent')).startsWith('email-')

/** Sends a letter again, requests a change of the address, or cancels it, by `intent`. */
export async function changeEmail(ask: Ask, request: Request, form: FormData) {
  switch (form.get('intent')) {
    case 'email-confirm': {
      const { problem } = await attempt(ask('POST /api/auth/confirmations'))
      return problem ? refusal(problem) : accepted<Result>(request, EMAIL_DONE.sent, 'sent')
    }
    case 'email-keep': {
      const { problem } = await attempt(ask('DELETE /api/auth/email/change'))
      return problem ? refusal(problem) : accepted<Result>(request, EMAIL_DONE.kept, 'kept')
    }
    default: {
      const body = typedIn(form)
      const errors = validateEmail(form)
      if (errors) return data({ email: { errors, typed: body.email } } satisfies Result, 400)
      const { problem } = await attempt(ask('POST /api/auth/email', { body }))
      if (!problem) return accepted<Result>(request, EMAIL_DONE.asked, 'asked')
      const field = FIELDS[problem.message] ?? 'server'
      return refusal(problem, { errors: { [field]: problem.message }, typed: body.email })
    }
  }
}

/** The field that a refusal of the server belongs to. */
const FIELDS: Record<string, string> = {
  [WRONG_PASSWORD]: 'current_password',
  [EMAIL_TAKEN]: 'email',
  [SAME_EMAIL]: 'email',
}

const typedIn = (form: FormData) => ({
  email: String(form.get('email') ?? ''),
  current_password: String(form.get('current_password') ?? ''),
})

/** First error of each field of the form with the new address. */
export const validateEmail = (form: FormData): FieldErrors | undefined =>
  fieldErrors(EmailChange, typedIn(form))

const refusal = (problem: Problem, shown: EmailResult = { problems: problem.errors }) =>
  data({ email: { ...shown, loginNeeded: problem.status === 401 } } satisfies Result, problem.status || 503)
