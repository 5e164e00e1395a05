import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { Names, type User } from '#accounts/contract.ts'
import { keepDraft, personOrDraft } from '#accounts/web/person.ts'
import { fieldErrors } from '#contract'
import type { FieldErrors, Problem } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import { textFieldsOf } from '#ui/form-draft.ts'

export interface NamesPage {
  /** null if the session ended while a form was refused. */
  user: User | null
}

/** Whose account it is. */
export const loadNames = async (args: LoaderFunctionArgs): Promise<NamesPage> => ({
  user: await personOrDraft(args),
})

/** Result of the form of names. */
export interface NamesResult {
  /** Success message. */
  done?: string
  fields?: FieldErrors
  problems?: string[]
  /** Why there was no download. */
  noDownload?: string[]
  /** The session has ended. */
  loginNeeded?: boolean
  /** Typed values that are not saved. */
  draft?: Record<string, string>
}

/** Messages of forms sent without scripts. */
export const DONE = {
  saved: { done: 'Saved' },
  later: { noDownload: ['You can download your data three times a day. Please try again later'] },
} satisfies Record<string, NamesResult>

/** Saves names and username. */
export async function saveNames(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepDraft(args)
  const draft = textFieldsOf(form)
  const fields = brokenNames(form)
  if (fields) return data<NamesResult>({ fields, draft }, 400)
  const body = namesIn(form)
  const { problem } = await attempt(apiOf(args)('PUT /api/account/names', { body }))
  if (problem) return data<NamesResult>({ ...refused(problem), draft }, problem.status || 503)
  return accepted(args.request, { ...DONE.saved }, 'saved')
}

const namesIn = (form: FormData): Names => ({
  first_name: String(form.get('first_name') ?? ''),
  last_name: String(form.get('last_name') ?? ''),
  username: String(form.get('username') ?? ''),
})

/** First error of each field. */
export const brokenNames = (form: FormData): FieldErrors | undefined => fieldErrors(Names, namesIn(form))

/** What the server refuses beyond the rules of the fields concerns the username, and begins with it. */
const refused = ({ message, errors, status }: Problem): NamesResult =>
  message.startsWith('Username')
    ? { fields: { username: message } }
    : { problems: errors, loginNeeded: status === 401 }
