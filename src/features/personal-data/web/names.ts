import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { Names, type User } from '#accounts/contract.ts'
import type { EmailState } from '#accounts/email-contract.ts'
import { changeEmail, EMAIL_DONE, type EmailResult, isAboutEmail } from '#accounts/web/emailChanges.ts'
import { keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { requireSameAccount } from '#accounts/web/same-account.ts'
import { fieldErrors, type Id } from '#contract'
import type { Agreement } from '#pages/contract.ts'
import type { FieldErrors, Problem } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, type Refusal } from '#ui/flash.ts'
import { textFieldsOf } from '#ui/text-fields.ts'
import { type DataPage, type DataResult, loadData, NO_DATA, requestData } from './ownData.ts'

export interface NamesPage extends DataPage {
  /** null if the session ended while a form was refused. */
  user: User | null
  email: EmailState | null
  agreements: Agreement[]
  account: Id | undefined
}

/** Whose account it is, the state of its address, what they agreed to, and what there is to download. */
export async function loadNames(args: LoaderFunctionArgs) {
  const user = await requireLoginUnlessTyped(args)
  const ask = apiOf(args)
  const email = user && (await ask('GET /api/auth/email'))
  const { agreements } = user ? await ask('GET /api/account/agreements') : { agreements: [] }
  const page: NamesPage = {
    account: user?.id,
    user,
    email,
    agreements,
    ...(user ? await loadData(args) : NO_DATA),
  }
  return data(page, page.isGone ? 404 : 200)
}

/** Result of the forms. */
export interface NamesResult extends Refusal {
  /** Success message. */
  done?: string
  fields?: FieldErrors
  /** Of the own data. */
  data?: DataResult
  /** Typed values that are not saved. */
  typed?: Record<string, string>
  email?: EmailResult
}

/** Messages of forms sent without scripts. */
export const DONE = {
  saved: { done: 'Saved' },
  ...EMAIL_DONE,
  enough: {
    data: { problems: ['You have downloaded your data many times today. Please try again tomorrow'] },
  },
  later: { data: { problems: ['Your data is out of reach right now. Please try again in a moment'] } },
} satisfies Record<string, NamesResult>

/** Saves names and username, changes the e-mail address, or requests the own data, by `intent`. */
export async function saveNames(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  if (form.get('intent') === 'data') return requestData(args)
  if (isAboutEmail(form)) return changeEmail(apiOf(args), args.request, form)
  const typed = textFieldsOf(form)
  const fields = validateNames(form)
  if (fields) return data<NamesResult>({ fields, typed }, 400)
  const body = namesIn(form)
  const ask = apiOf(args)
  const save = async () => {
    await requireSameAccount(ask, form)
    await ask('PUT /api/account/names', { body })
  }
  const { problem } = await attempt(save())
  if (problem) return data<NamesResult>({ ...refused(problem), typed }, problem.status || 503)
  return accepted(args.request, DONE.saved, 'saved')
}

const namesIn = (form: FormData): Names => ({
  first_name: String(form.get('first_name') ?? ''),
  last_name: String(form.get('last_name') ?? ''),
  username: String(form.get('username') ?? ''),
})

/** First error of each field. */
export const validateNames = (form: FormData): FieldErrors | undefined => fieldErrors(Names, namesIn(form))

/** What the server refuses beyond the rules of the fields concerns the username, and begins with it. */
const refused = ({ message, errors, status }: Problem): NamesResult =>
  message.startsWith('Username')
    ? { fields: { username: message } }
    : { problems: errors, loginNeeded: status === 401 }
