import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, type Refusal } from '#ui/flash.ts'
import type { DataExport } from '../contract.ts'

export interface DataPage {
  /** null without a session. */
  status: DataExport | null
  /** The secret of the letter whose link led here; null without one. */
  archive: string | null
  /** Whether the link leads to no archive of this account, or not any more. */
  isGone: boolean
}
export const NO_DATA: DataPage = { status: null, archive: null, isGone: false }

/** What there is to download, and whether the link of a letter leads to it. */
export async function loadData(args: LoaderFunctionArgs): Promise<DataPage> {
  const ask = apiOf(args)
  const archive = new URL(args.request.url).searchParams.get('archive')
  if (archive === null) return { status: await ask('GET /api/account/data'), archive, isGone: false }
  const { response, problem } = await attempt(ask('GET /api/account/data', { query: { archive } }))
  if (response) return { status: response, archive, isGone: false }
  if (problem.status !== 404 && problem.status !== 400) throw problem
  return { status: await ask('GET /api/account/data'), archive: null, isGone: true }
}

/** Result of asking for the own data. */
export interface DataResult extends Refusal {
  asked?: true
}

/** Requests the own data. Requested already, such as by a try whose response was lost, is a success. */
export async function requestData(args: ActionFunctionArgs) {
  const ask = apiOf(args)
  const { problem } = await attempt(ask('POST /api/account/data'))
  const now = problem?.status === 429 ? (await attempt(ask('GET /api/account/data'))).response : undefined
  if (!problem || now?.state === 'making' || now?.state === 'ready')
    return accepted(args.request, { data: { asked: true } satisfies DataResult })
  const { errors, status } = problem
  const result: DataResult = { problems: errors, loginNeeded: status === 401 }
  return data({ data: result }, status || 503)
}
