import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { type Ask, apiOf, attempt } from '#ui/api-client.ts'
import { textFieldsOf } from '#ui/text-fields.ts'
import { agreedWords } from '../agreement-text.ts'
import type { PageToAgree } from '../contract.ts'
import { fieldsOf, withConfirmation } from './fieldsOf.ts'
import { type LoginResult, loader as redirectUsers } from './login.route.ts'
import { nextOf, resumePendingAction } from './person.ts'

export interface SignupResult extends LoginResult {
  /** What new members agree to now. */
  pages?: PageToAgree[]
}

/** What new members agree to. Redirects a logged-in user. */
export async function loader(args: LoaderFunctionArgs) {
  const { next } = await redirectUsers(args)
  const { pages } = await apiOf(args)('GET /api/auth/signup')
  return { next, pages }
}

/** A form as the API takes it. */
export function bodyOf(form: FormData) {
  const value = (name: string) => String(form.get(name) ?? '')
  return {
    email: value('email'),
    first_name: value('first_name'),
    last_name: value('last_name'),
    username: value('username'),
    password: value('password'),
    ...(form.has('agreed') ? { agreed: value('agreed').split(' ').map(Number) } : {}),
  }
}

/** Creates the account and logs in; then home, or back to the page before. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const typed = textFieldsOf(form)
  const errors = withConfirmation(form, 'password')
  if (errors) return data({ errors, typed } satisfies SignupResult, 400)
  const ask = apiOf(args)
  const { problem } = await attempt(ask('POST /api/auth/signup', { body: bodyOf(form) }))
  if (problem) {
    // The reason may be a page that was published meanwhile.
    const pages = problem.status === 400 ? await pagesNow(ask) : undefined
    const missing = pages && pages.length > 0 && !form.has('agreed') && { agreed: agreedWords(pages) }
    return data(
      { errors: { ...missing, ...fieldsOf(problem) }, typed, ...(pages && { pages }) } satisfies SignupResult,
      problem.status || 503,
    )
  }
  if (form.has('stay')) return { done: true } satisfies SignupResult
  return redirect(await resumePendingAction(args, nextOf(args)))
}

/** Undefined if the shop does not answer. */
async function pagesNow(ask: Ask): Promise<PageToAgree[] | undefined> {
  return (await attempt(ask('GET /api/auth/signup'))).response?.pages
}

export const handle = { title: () => 'Sign up' }
