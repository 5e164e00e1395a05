import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import type { FieldErrors } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { textFieldsOf } from '#ui/text-fields.ts'
import { fieldsOf } from './fieldsOf.ts'
import { nextOf, resumePendingAction, withoutPendingAction } from './person.ts'

export interface LoginResult {
  /** Set if the form was in a dialog: the page stays. */
  done?: true
  errors?: FieldErrors
  typed?: Record<string, string>
}

/** Redirects a logged-in user. */
export async function loader(args: LoaderFunctionArgs) {
  const { response } = await attempt(apiOf(args)('GET /api/auth/'))
  const next = nextOf(args)
  if (response) throw redirect(withoutPendingAction(next))
  return { next, fillDemo: new URL(args.request.url).searchParams.has('demo') }
}

/** Logs in with the password, or in the browser with a passkey; then home, or back to the page before. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const ask = apiOf(args)
  const body = { email: String(form.get('email') ?? ''), password: String(form.get('password') ?? '') }
  const { problem } = await attempt(
    form.get('intent') === 'passkey' && !import.meta.env.SSR
      ? (await import('./passkeys.ts')).logInWithPasskey(ask, String(form.get('passkey') ?? ''))
      : ask('POST /api/auth/login', { body }),
  )
  if (problem) {
    return data(
      { errors: fieldsOf(problem), typed: textFieldsOf(form) } satisfies LoginResult,
      problem.status || 503,
    )
  }
  if (form.has('stay')) return { done: true } satisfies LoginResult
  return redirect(await resumePendingAction(args, nextOf(args)))
}

export const handle = { title: () => 'Log in' }
