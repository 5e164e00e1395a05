import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { personOf } from '#accounts/web/person.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import type { LetterChoice } from '../contract.ts'

/** Result of the form. */
export interface LettersResult {
  /** Success message. */
  done?: string
  problems?: string[]
}

/** Messages of the form sent without scripts. */
export const DONE = { saved: { done: 'Saved' } } satisfies Record<string, LettersResult>

/** Which letters the user gets, and where. */
export async function loader(args: LoaderFunctionArgs): Promise<{ letters: LetterChoice[]; email: string }> {
  const { email } = await personOf(args)
  return { ...(await apiOf(args)('GET /api/letters/')), email }
}

/** Saves the choice. A kind that is on the page and not ticked is switched off. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const on = form.getAll('on')
  const off = form
    .getAll('kind')
    .filter(kind => !on.includes(kind))
    .map(String)
  const { problem } = await attempt(apiOf(args)('PUT /api/letters/', { body: { off } }))
  if (problem) return data<LettersResult>({ problems: problem.errors }, problem.status || 503)
  return accepted<LettersResult>(args.request, DONE.saved, 'saved')
}

export const handle = { title: () => 'Letters' }
