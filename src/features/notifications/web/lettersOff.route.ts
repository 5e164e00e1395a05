import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import type { Problem } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { WRONG_LINK } from '../contract.ts'

interface Switched {
  /** What the letters are about. null: the link is wrong. */
  about: string | null
  problems?: string[]
}

/** What the link of a letter switches off. Programs that check mail open links, so this changes nothing. */
export async function loader(args: LoaderFunctionArgs) {
  const { response, problem } = await attempt(
    apiOf(args)('GET /api/letters/off/:token', { params: linkOf(args) }),
  )
  if (problem && ![400, 403, 404].includes(problem.status)) throw problem
  return problem ? refused(problem) : data<Switched>(response)
}

/**
 * Switches them off. Mail services send this form for their users (RFC 8058): no login, and no redirect, which they would not
 * follow.
 */
export async function action(args: ActionFunctionArgs) {
  const { response, problem } = await attempt(
    apiOf(args)('POST /api/letters/off/:token', { params: linkOf(args) }),
  )
  return problem ? refused(problem) : data<Switched>(response)
}

const linkOf = ({ params }: Pick<LoaderFunctionArgs, 'params'>) => ({ token: params.token ?? '' })

/** Half a link is as wrong as a changed one. */
const refused = ({ status, errors }: Problem) =>
  data<Switched>({ about: null, problems: status === 404 ? [WRONG_LINK] : errors }, status || 503)

export const handle = { title: () => 'Letters' }
