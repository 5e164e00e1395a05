import type { ActionFunctionArgs } from 'react-router'
import { Problem } from '#problem'
import { apiOf } from '#ui/api-client.ts'

const OTHER_ACCOUNT =
  'You are logged in with another account now, so nothing was saved. Log in with the first one, or open this page again'

/**
 * Requires that a form with an `AccountField` is sent by the account that opened it. Forms of older versions have none.
 * @throws Problem 401 for a visitor, 403 for another account
 */
export async function requireSameAccount(args: ActionFunctionArgs, form: FormData): Promise<void> {
  const { id } = await apiOf(args)('GET /api/auth/')
  const account = form.get('account')
  if (account !== null && account !== String(id)) throw new Problem(403, OTHER_ACCOUNT)
}
