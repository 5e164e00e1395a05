import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { requireSameAccount } from '#accounts/web/same-account.ts'
import { fieldErrors } from '#contract'
import type { FieldErrors, Problem } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, type Refusal } from '#ui/flash.ts'
import { textFieldsOf } from '#ui/text-fields.ts'
import { HolidayInput, OVER } from '../contract.ts'

/**
 * The user's holiday, or null, and the name of their shop as pages show it. A suspended user has no shop page: then
 * it is the username. Null and '' if the session ended while a form was refused.
 */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLoginUnlessTyped(args)
  if (!user) return { holiday: null, name: '' }
  const ask = apiOf(args)
  const { username } = user
  const [{ holiday }, { response: shop }] = await Promise.all([
    ask('GET /api/holiday/'),
    attempt(ask('GET /api/shops/:username', { params: { username } })),
  ])
  return { holiday, name: shop?.display_name ?? username, account: user.id }
}

export interface HolidayResult extends Refusal {
  done?: string
  fields?: FieldErrors
  /** Typed values that are not saved. */
  typed?: Record<string, string>
}

export const DONE = {
  saved: { done: 'Saved' },
  ended: { done: 'Your holiday is over: your pieces can be ordered' },
} satisfies Record<string, HolidayResult>

/** Sets the holiday, or ends it, by the pressed button. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const ask = apiOf(args)
  keepTyped(args)
  const isEnd = form.get('intent') === 'end'
  const fields = isEnd ? undefined : validateHoliday(form)
  if (fields) return data({ fields, typed: textFieldsOf(form) } satisfies HolidayResult, 400)
  const save = async () => {
    await requireSameAccount(ask, form)
    if (isEnd) await ask('DELETE /api/holiday/')
    else await ask('PUT /api/holiday/', { body: holidayOf(form) })
  }
  const { problem } = await attempt(save())
  if (problem) return refused(form, problem)
  return isEnd ? accepted(args.request, DONE.ended, 'ended') : accepted(args.request, DONE.saved, 'saved')
}

function refused(form: FormData, { errors, status, message }: Problem) {
  const why = message === OVER ? { fields: { until: OVER } } : { problems: errors }
  const result = { ...why, loginNeeded: status === 401, typed: textFieldsOf(form) }
  return data(result satisfies HolidayResult, status || 503)
}

/** First error of each field. */
export const validateHoliday = (form: FormData): FieldErrors | undefined =>
  fieldErrors(HolidayInput, holidayOf(form))

function holidayOf(form: FormData): HolidayInput {
  const text = (name: string) => String(form.get(name) ?? '')
  return { from: text('from'), until: text('until'), note: text('note') }
}

export const handle = { title: () => 'Holiday' }
