import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router'
import { requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, type Refusal, refused } from '#ui/flash.ts'
import { ZIP_REFUSALS } from '../contract.ts'

/** The result of the last form, as text. `problem` if it was refused. */
interface Outcome {
  done?: string
  problem?: string
}

/** The progress of the photos, and the result of a zip, which the address has after the form. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLoginUnlessTyped(args)
  const progress = user ? await apiOf(args)('GET /api/import/photos') : null
  return { progress, outcome: outcomeIn(new URL(args.request.url).searchParams) }
}

export interface RetryResult extends Refusal {
  done?: string
}

export const DONE = { again: { done: 'They are fetched again' } } satisfies Record<string, RetryResult>

/** Queues failed photos again. A zip does not come here: a route of the server receives its form. */
export async function action(args: ActionFunctionArgs) {
  const { problem } = await attempt(apiOf(args)('POST /api/import/photos/retry'))
  return problem ? refused<RetryResult>(problem) : accepted(args.request, DONE.again, 'again')
}

function outcomeIn(query: URLSearchParams): Outcome | null {
  const refused = query.get('refused')
  if (refused !== null)
    return {
      problem: Object.hasOwn(ZIP_REFUSALS, refused) ? ZIP_REFUSALS[refused as 'again'] : ZIP_REFUSALS.again,
    }
  const [drafts, taken, here, unknown] = ['drafts', 'taken', 'here', 'unknown'].map(name => query.get(name))
  if (![drafts, taken, here, unknown].every(count => /^\d{1,6}$/.test(count ?? ''))) return null
  const known = Number(here) > 0 ? ` ${here === '1' ? '1 was' : `${here} were`} here before.` : ''
  const others =
    Number(unknown) > 0
      ? ` ${unknown === '1' ? '1 file is not taken in: it belongs to no draft, or is a document.' : `${unknown} files are not taken in: they belong to no draft, or are documents.`}`
      : ''
  const added =
    Number(drafts) > 0
      ? `${drafts === '1' ? '1 listing is a draft' : `${drafts} listings are drafts`} now, and `
      : ''
  const photos = taken === '1' ? '1 photo is' : `${taken} photos are`
  return { done: `It has arrived: ${added}${photos} being taken in.${known}${others}` }
}

export const handle = { title: () => 'Photos of your drafts' }
