import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router'
import { DEMO } from '#accounts/contract.ts'
import { keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { accountIn, requireSameAccount } from '#accounts/web/same-account.ts'
import type { Id } from '#contract'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, type Refusal, refused } from '#ui/flash.ts'
import type { LetterChoice } from '../contract.ts'

/** Result of the form. */
export interface LettersResult extends Refusal {
  /** Success message. */
  done?: string
  /** The kinds that were ticked, if that is not saved. */
  on?: string[]
}

/** Messages of the form sent without scripts. */
export const DONE = { saved: { done: 'Saved' } } satisfies Record<string, LettersResult>

export interface LettersPage {
  account: Id
  letters: LetterChoice[]
  email: string
  /** Letters that one can switch off go to confirmed addresses only. */
  unconfirmed: boolean
}

/** Which letters the user gets, and where. Null if the session ended while the form was refused. */
export async function loader(args: LoaderFunctionArgs): Promise<LettersPage | null> {
  const user = await requireLoginUnlessTyped(args)
  if (!user) return null
  const { email, id: account } = user
  const ask = apiOf(args)
  const [{ letters }, { confirmed }] = await Promise.all([
    ask('GET /api/letters/'),
    ask('GET /api/auth/email'),
  ])
  return { account, letters, email, unconfirmed: !confirmed && email !== DEMO.email }
}

/** Saves the choice. A kind that is on the page and not ticked is switched off. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const on = form.getAll('on').map(String)
  const off = form
    .getAll('kind')
    .map(String)
    .filter(kind => !on.includes(kind))
  const ask = apiOf(args)
  const save = async () => {
    await requireSameAccount(ask, form)
    await ask('PUT /api/letters/', { body: { off } })
  }
  const { problem } = await attempt(save())
  if (problem) return refused<LettersResult>(problem, { on, account: accountIn(form) })
  return accepted<LettersResult>(args.request, DONE.saved, 'saved')
}

export const handle = { title: () => 'Letters' }
