import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import { apiOf, attempt } from '#ui/api-client.ts'
import type { Handle } from '#ui/page-title.ts'
import type { MakersPage } from '../directory-contract.ts'

/** Makers on one page. */
const PAGE_SIZE = '24'
const PARAMETERS = ['q', 'place', 'category', 'cursor'] as const
export type Asked = Partial<Record<(typeof PARAMETERS)[number], string>>

/** A page of the directory with its filters. */
export interface MakersFound {
  page: MakersPage
  asked: Asked
  /** Message for an invalid query. */
  refused?: string
}

/** Makers by name, place and craft. @throws a redirect to the address without empty fields */
export async function loader(args: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(args.request.url)
  const full = [...searchParams].filter(([, value]) => value.trim() !== '')
  if (full.length < searchParams.size)
    throw redirect(`${pathname}?${new URLSearchParams(full)}`.replace(/\?$/, ''))
  const asked: Asked = Object.fromEntries(
    PARAMETERS.flatMap(name => (searchParams.has(name) ? [[name, searchParams.get(name) ?? '']] : [])),
  )
  const { response, problem } = await attempt(
    apiOf(args)('GET /api/makers', { query: { ...asked, limit: PAGE_SIZE } }),
  )
  if (response) return data<MakersFound>({ page: response, asked }, 200)
  if (problem.status !== 400) throw problem
  const nobody = { makers: [], next_cursor: null }
  return data<MakersFound>({ page: nobody, asked, refused: problem.message }, 400)
}

export const handle: Handle<MakersFound> = {
  title: () => 'Makers',
  description: () => 'Who makes what is for sale here: by name, place and craft.',
}
