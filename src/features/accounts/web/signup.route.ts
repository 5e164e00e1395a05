import { type ActionFunctionArgs, data, redirect } from 'react-router'
import { apiOf, attempt } from '#ui/api-client.ts'
import { textFieldsOf } from '#ui/form-draft.ts'
import { CONFIRM_MESSAGE } from '../contract.ts'
import { fieldsOf } from './fieldsOf.ts'
import type { LoginResult } from './login.route.ts'
import { nextOf, resumePendingAction } from './person.ts'

export { loader } from './login.route.ts'

/** Creates the account and logs in; then home, or back to the page before. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const value = (name: string) => String(form.get(name) ?? '')
  if (value('password') !== value('confirm_password')) {
    return data(
      { errors: { confirm_password: CONFIRM_MESSAGE }, draft: textFieldsOf(form) } satisfies LoginResult,
      400,
    )
  }
  const body = {
    email: value('email'),
    first_name: value('first_name'),
    last_name: value('last_name'),
    username: value('username'),
    password: value('password'),
  }
  const { problem } = await attempt(apiOf(args)('POST /api/auth/signup', { body }))
  if (problem) {
    return data(
      { errors: fieldsOf(problem), draft: textFieldsOf(form) } satisfies LoginResult,
      problem.status || 503,
    )
  }
  if (form.has('stay')) return { done: true } satisfies LoginResult
  return redirect(await resumePendingAction(args, nextOf(args)))
}

export const handle = { title: () => 'Sign up' }
