import { Problem } from '#problem'
import { type Ask, attempt } from '#ui/api-client.ts'
import type { User } from '../contract.ts'
import { OTHER_ACCOUNT } from '../other-account.ts'

/**
 * Requires that a form with an `AccountField` is sent by the account that has opened it. It says none on a page of a form
 * that was refused after the session had ended. This is a request of its own before the call: a login between the two passes.
 * @returns the user
 * @throws Problem 401 for a visitor, 403 for another account
 */
export async function requireSameAccount(ask: Ask, form: FormData): Promise<User> {
  const user = await ask('GET /api/auth/')
  const account = form.get('account')
  if (account && account !== String(user.id)) throw new Problem(403, OTHER_ACCOUNT)
  return user
}

/** As `requireSameAccount`, but a visitor passes: the call that follows says in its own words that a login is needed. */
export async function refuseOtherAccount(ask: Ask, form: FormData): Promise<void> {
  const { problem } = await attempt(requireSameAccount(ask, form))
  if (problem && problem.status !== 401) throw problem
}

/** The account of a form, for its result: the page of a refused form without scripts says it again. */
export const accountIn = (form: FormData): string => String(form.get('account') ?? '')
