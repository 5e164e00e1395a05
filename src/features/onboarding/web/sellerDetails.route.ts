import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { requireSameAccount } from '#accounts/web/same-account.ts'
import { fieldErrors } from '#contract'
import type { FieldErrors } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, type Refusal, refused } from '#ui/flash.ts'
import { textFieldsOf } from '#ui/text-fields.ts'
import { SellerDetails } from '../contract.ts'

/** The user's seller details. They are null without any, or if the session ended while a form was refused. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLoginUnlessTyped(args)
  if (!user) return { details: null }
  return { ...(await apiOf(args)('GET /api/selling/details')), account: user.id }
}

/** State of the form. */
export interface DetailsResult extends Refusal {
  done?: string
  fields?: FieldErrors
  /** Typed values that are not saved. */
  typed?: Record<string, string>
}

export const DONE = { saved: { done: 'Saved' } } satisfies Record<string, DetailsResult>

/** A form as the API takes it. */
function detailsOf(form: FormData): SellerDetails {
  const text = (name: keyof SellerDetails) => String(form.get(name) ?? '')
  return {
    // Not chosen is neither.
    is_trader: { yes: true, no: false }[text('is_trader')] as boolean,
    name: text('name'),
    address: text('address'),
    email: text('email'),
    phone: text('phone'),
    register: text('register'),
    vat_id: text('vat_id'),
    responsible_person: text('responsible_person'),
    outside_eu: form.has('outside_eu'),
    safety: text('safety'),
  }
}

/** First error of each field. */
export function validateDetails(form: FormData): FieldErrors | undefined {
  const errors = fieldErrors(SellerDetails, detailsOf(form))
  return Object.keys(errors ?? {}).length > 0 ? errors : undefined
}

/** Saves them. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const typed = textFieldsOf(form)
  const fields = validateDetails(form)
  if (fields) return data<DetailsResult>({ fields, typed }, 400)
  const save = async () => {
    await requireSameAccount(apiOf(args), form)
    await apiOf(args)('PUT /api/selling/details', { body: detailsOf(form) })
  }
  const { problem } = await attempt(save())
  if (!problem) return accepted(args.request, DONE.saved, 'saved')
  return refused<DetailsResult>(problem, { typed })
}

export const handle = { title: () => 'Seller details' }
