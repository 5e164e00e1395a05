import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { finishBegun, safeNext } from '#accounts/web/session.ts'
import type { FieldErrors } from '#problem'
import { apiOf, attempt, draftOf } from '#web/api.ts'
import { fieldsOf } from './fieldsOf.ts'

export interface LoginResult {
  /** Set where the form was in a dialog: the page stays. */
  done?: true
  errors?: FieldErrors
  draft?: Record<string, string>
}

/** Someone who is signed in has no business here. */
export async function loader(args: LoaderFunctionArgs) {
  const { answer } = await attempt(apiOf(args)('GET /api/auth/'))
  const { searchParams } = new URL(args.request.url)
  if (answer) throw redirect(safeNext(searchParams.get('next')))
  return { next: safeNext(searchParams.get('next')), fillDemo: searchParams.has('demo') }
}

/** Logs in; then home, or back to where the person came from. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const body = { email: String(form.get('email') ?? ''), password: String(form.get('password') ?? '') }
  const { problem } = await attempt(apiOf(args)('POST /api/auth/login', { body }))
  if (problem) {
    return data(
      { errors: fieldsOf(problem), draft: draftOf(form) } satisfies LoginResult,
      problem.status || 503,
    )
  }
  if (form.has('stay')) return { done: true } satisfies LoginResult
  const next = safeNext(form.get('next'))
  return redirect(await finishBegun(args, next))
}

export const handle = { title: () => 'Log in' }
