import { Problem } from '#problem'
import type { Ask } from '#ui/api-client.ts'
import type { User } from '../contract.ts'
import { OTHER_ACCOUNT } from '../other-account.ts'

/**
 * Requires that a form with an `AccountField` is sent by the account that has opened it. It says none on a page of a form
 * that was refused after the session had ended.
 * @returns the user
 * @throws Problem 401 for a visitor, 403 for another account
 */
export async function requireSameAccount(ask: Ask, form: FormData): Promise<User> {
  const user = await ask('GET /api/auth/')
  const account = form.get('account')
  if (account && account !== String(user.id)) throw new Problem(403, OTHER_ACCOUNT)
  return user
}

/** The account of a form, for its result: the page of a refused form without scripts says it again. */
export const accountIn = (form: FormData): string => String(form.get('account') ?? '')
