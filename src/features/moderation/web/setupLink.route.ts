import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from 'react-router'
import { apiOf, attempt } from '#ui/api-client.ts'
import { refused } from '#ui/flash.ts'
import type { Handle } from '#ui/page-title.ts'

export const loader = ({ params }: LoaderFunctionArgs) => ({ path: `/setup/${params.token}` })

/** Makes the logged-in user the first operator, and redirects to the setup guide. */
export async function action(args: ActionFunctionArgs) {
  const { problem } = await attempt(
    apiOf(args)('POST /api/setup', { body: { token: args.params.token ?? '' } }),
  )
  if (!problem) return redirect('/operate/confirm?next=%2Foperate%2Fsetup')
  return refused(problem)
}

/** The address is a secret. */
export const handle: Handle = { title: () => 'Set up this shop', referrerPolicy: 'strict-origin' }
