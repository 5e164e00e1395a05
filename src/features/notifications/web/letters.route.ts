import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { DEMO } from '#accounts/contract.ts'
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

export interface LettersPage {
  letters: LetterChoice[]
  email: string
  /** Letters that one can switch off go to confirmed addresses only. */
  unconfirmed: boolean
}

/** Which letters the user gets, and where. */
export async function loader(args: LoaderFunctionArgs): Promise<LettersPage> {
  const { email } = await personOf(args)
  const ask = apiOf(args)
  const [{ letters }, { confirmed }] = await Promise.all([
    ask('GET /api/letters/'),
    ask('GET /api/auth/email'),
  ])
  return { letters, email, unconfirmed: !confirmed && email !== DEMO.email }
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
