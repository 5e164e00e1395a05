import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { requireSameAccount } from '#accounts/web/same-account.ts'
import { fieldErrors } from '#contract'
import type { FieldErrors } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, type Refusal, refused } from '#ui/flash.ts'
import { textFieldsOf } from '#ui/text-fields.ts'
import { PaymentWords } from '../input-contract.ts'

/** How to pay, in the user's words; empty if the session ended while the form was refused. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLoginUnlessTyped(args)
  if (!user) return { words: '' }
  return { ...(await apiOf(args)('GET /api/sales/payment-words')), account: user.id }
}

/** Result of the form. */
export interface WordsResult extends Refusal {
  /** Success message. */
  done?: string
  fields?: FieldErrors
  /** What was typed and is not saved. */
  typed?: Record<string, string>
}

/** Messages of the form sent without scripts. */
export const DONE = { saved: { done: 'Saved' } } satisfies Record<string, WordsResult>

/** A form as the API takes it. */
const wordsOf = (form: FormData) => ({ words: String(form.get('words') ?? '') })

/** First error of each field. */
export const validateWords = (form: FormData): FieldErrors | undefined =>
  fieldErrors(PaymentWords, wordsOf(form))

/** Saves the words. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const typed = textFieldsOf(form)
  const fields = validateWords(form)
  if (fields) return data<WordsResult>({ fields, typed }, 400)
  const save = async () => {
    await requireSameAccount(apiOf(args), form)
    await apiOf(args)('PUT /api/sales/payment-words', { body: wordsOf(form) })
  }
  const { problem } = await attempt(save())
  if (problem) return refused<WordsResult>(problem, { typed })
  return accepted<WordsResult>(args.request, DONE.saved, 'saved')
}

export const handle = { title: () => 'Payment' }
