import { redirect } from 'react-router'
import { attempt } from './api-client.ts'

/**
 * A page of a list. If the cursor of the address is refused, because it is damaged or from the list of another user, a
 * redirect to the first page is thrown.
 * @param parameter the query parameter with the cursor
 */
export async function pageAt<Page>(
  { pathname, searchParams }: URL,
  asked: Promise<Page>,
  parameter = 'cursor',
): Promise<Page> {
  const { response, problem } = await attempt(asked)
  if (!problem) return response
  if (problem.status !== 400 || !searchParams.has(parameter)) throw problem
  const first = new URLSearchParams(searchParams)
  for (const name of [parameter, 'before']) first.delete(name)
  throw redirect(first.size > 0 ? `${pathname}?${first}` : pathname)
}
