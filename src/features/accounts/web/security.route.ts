import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { fieldErrors } from '#contract'
import type { FieldErrors, Problem } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, leadsTo } from '#ui/flash.ts'
import { COMMON_PASSWORD, PasswordChange, type Session, WRONG_PASSWORD } from '../contract.ts'
import type { Passkey } from '../passkeys-contract.ts'
import { withConfirmation } from './fieldsOf.ts'
import { changePasskeys, PASSKEY_DONE, type PasskeyResult } from './passkeyChanges.ts'
import { requireLogin } from './person.ts'

export interface SecurityResult {
  /** Success message. */
  done?: string
  /** Errors of the password form. */
  errors?: FieldErrors
  /** Errors of ending sessions. */
  problems?: string[]
  passkey?: PasskeyResult
  /** The session has ended. */
  loginNeeded?: boolean
}

/** Messages of forms sent without scripts. */
export const DONE = {
  ended: { done: 'That device is logged out' },
  changed: { done: 'Your password is changed. Every other device is logged out' },
  ...PASSKEY_DONE,
} satisfies Record<string, SecurityResult>

/** The user's sessions and passkeys. */
export async function loader(
  args: LoaderFunctionArgs,
): Promise<{ sessions: Session[]; passkeys: Passkey[] }> {
  await requireLogin(args)
  const ask = apiOf(args)
  const [{ sessions }, { passkeys }] = await Promise.all([
    ask('GET /api/auth/sessions'),
    ask('GET /api/auth/passkeys'),
  ])
  return { sessions, passkeys }
}

/** Ends one or all sessions, changes the password or the passkeys, by `intent`. */
export async function action(args: ActionFunctionArgs) {
  const ask = apiOf(args)
  const form = await args.request.formData()
  switch (form.get('intent')) {
    case 'end': {
      const { problem } = await attempt(
        ask('DELETE /api/auth/sessions/:id', { params: { id: String(form.get('id') ?? '') } }),
      )
      // A session that has already ended is a success.
      if (problem && problem.status !== 404) return refusal({ problems: problem.errors }, problem)
      return accepted(args.request, DONE.ended, 'ended')
    }
    case 'end-all': {
      const { problem } = await attempt(ask('DELETE /api/auth/sessions'))
      if (problem) return refusal({ problems: problem.errors }, problem)
      return redirect('/')
    }
    case 'passkey-add':
    case 'passkey-rename':
    case 'passkey-remove':
      return changePasskeys(ask, args.request, form)
    default:
      return changePassword(ask, form)
  }
}

async function changePassword(ask: ReturnType<typeof apiOf>, form: FormData) {
  const fields = validateChange(form)
  if (fields) return data({ errors: fields } satisfies SecurityResult, 400)
  const body = {
    current_password: String(form.get('current_password')),
    new_password: String(form.get('new_password')),
  }
  const { problem } = await attempt(ask('POST /api/auth/password', { body }))
  // The session is new: reload the page with it.
  if (!problem) return leadsTo('/settings/security', 'changed')
  if (problem.status === 401) return refusal({ errors: { server: LOGGED_OUT } }, problem)
  const fieldsOf: Record<string, string> = {
    [WRONG_PASSWORD]: 'current_password',
    [COMMON_PASSWORD]: 'new_password',
  }
  return refusal({ errors: { [fieldsOf[problem.message] ?? 'server']: problem.message } }, problem)
}

/** Also after a change whose response was lost: it has ended all sessions. */
const LOGGED_OUT = 'You are logged out. If the password was changed, log in with the new one'

const refusal = (result: SecurityResult, problem: Problem) =>
  data<SecurityResult>({ ...result, loginNeeded: problem.status === 401 }, problem.status || 503)

/** Errors of the password form by field, with the confirmation. */
export const validateChange = (form: FormData): FieldErrors | undefined =>
  withConfirmation(form, 'new_password', fieldErrors(PasswordChange, Object.fromEntries(form)))

export const handle = { title: () => 'Security' }
