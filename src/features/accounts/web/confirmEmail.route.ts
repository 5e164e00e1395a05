import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { apiOf, attempt } from '#ui/api-client.ts'
import { leadsTo } from '#ui/flash.ts'
import type { Handle } from '#ui/page-title.ts'

/** A refused confirmation. */
export interface ConfirmResult {
  message: string
}

const PAGE = '/confirm-email'

/** What the link has done. */
export const DONE = {
  confirmed: 'Thank you. Your e-mail address is confirmed',
  changed: 'Your e-mail address is changed. From now on you log in with the new one',
  already: 'Your e-mail address is confirmed already. There is nothing left to do',
}

/** Whether the address has a token, since a user may copy only a part of the link. */
export const loader = (args: LoaderFunctionArgs) => ({ hasToken: tokenOf(args) !== '' })

/** Confirms the address. Only this changes something: virus scanners open the links of letters. */
export async function action(args: ActionFunctionArgs) {
  const token = tokenOf(args)
  const { response, problem } = await attempt(
    apiOf(args)('POST /api/auth/confirm-email', { body: { token } }),
  )
  // The token does not stay in the address.
  if (response) return leadsTo(PAGE, response.outcome)
  return data<ConfirmResult>({ message: problem.message }, problem.status || 503)
}

const tokenOf = ({ request }: Pick<LoaderFunctionArgs, 'request'>) =>
  new URL(request.url).searchParams.get('token') ?? ''

// The address has the token.
export const handle: Handle = { title: () => 'Confirm your address', referrerPolicy: 'strict-origin' }
