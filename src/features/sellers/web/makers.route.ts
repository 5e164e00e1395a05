import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import { UNKNOWN_CURSOR } from '#contract'
import { apiOf, attempt } from '#ui/api-client.ts'
import { PAGE_SIZE } from '#ui/page-size.ts'
import type { Handle } from '#ui/page-title.ts'
import type { MakersPage } from '../directory-contract.ts'

const PARAMETERS = ['q', 'place', 'category', 'cursor'] as const
export type Asked = Partial<Record<(typeof PARAMETERS)[number], string>>

/** A page of the directory with its filters. */
export interface MakersFound {
  page: MakersPage
  asked: Asked
  /** Message for an invalid query. */
  refused?: string
}

const NO_SUCH_PART = 'This part of the list cannot be found. Press Show makers to see its beginning'

/**
 * Makers by name, place and craft.
 * @throws a redirect to the address without empty fields, or without the cursor of an empty page
 */
export async function loader(args: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(args.request.url)
  const addressOf = (query: [string, string][]) =>
    `${pathname}?${new URLSearchParams(query)}`.replace(/\?$/, '')
  const full = [...searchParams].filter(([, value]) => value.trim() !== '')
  if (full.length < searchParams.size) throw redirect(addressOf(full))
  const asked: Asked = Object.fromEntries(
    PARAMETERS.flatMap(name => (searchParams.has(name) ? [[name, searchParams.get(name) ?? '']] : [])),
  )
  const { response, problem } = await attempt(
    apiOf(args)('GET /api/makers', { query: { ...asked, limit: PAGE_SIZE } }),
  )
  if (asked.cursor !== undefined && response?.makers.length === 0)
    throw redirect(addressOf(full.filter(([name]) => name !== 'cursor' && name !== 'before')))
  if (response) return data<MakersFound>({ page: response, asked }, 200)
  if (problem.status !== 400) throw problem
  const nobody = { makers: [], next_cursor: null }
  const refused = problem.message === UNKNOWN_CURSOR ? NO_SUCH_PART : problem.message
  return data<MakersFound>({ page: nobody, asked, refused }, 400)
}

export const handle: Handle<MakersFound> = {
  title: () => 'Makers',
  description: () => 'Who makes what is for sale here: by name, place and craft.',
}
