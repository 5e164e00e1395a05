import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { DEMO } from '#accounts/contract.ts'
import { hasTyped, keepTyped, nextOf, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { requireSameAccount } from '#accounts/web/same-account.ts'
import type { Id } from '#contract'
import { idIn } from '#id'
import { type FieldErrors, Problem } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, leadsTo, type Refusal, refused } from '#ui/flash.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { textFieldsOf } from '#ui/text-fields.ts'
import type { Address } from '../contract.ts'
import { addressOf, CHOOSE_COUNTRY, validateAddress } from './parseAddress.ts'

const ADDRESSES = '/settings/addresses'

interface Addresses {
  addresses: Address[]
  /** Id of the one that is changed, on a page of its own. */
  editingId: string | undefined
  /** That one; also undefined if the session ended while its form was refused. */
  editing: Address | undefined
  /** Where it continues once an address is saved, such as the cart. */
  next: string | undefined
  isDemo: boolean
  account: Id | undefined
}

/** The user's addresses; none if the session ended while a form was refused. */
export async function loader(args: LoaderFunctionArgs): Promise<Addresses> {
  const user = await requireLoginUnlessTyped(args)
  const { addresses } = user ? await apiOf(args)('GET /api/addresses/') : { addresses: [] }
  const { addressId } = args.params
  const editing = addresses.find(({ id }) => String(id) === addressId)
  // Deleted meanwhile: what is typed stays to be copied.
  if (user && addressId && !editing && !hasTyped(args)) throw new Problem(404, 'There is no such address')
  const editingId = idIn(addressId)
  const isDemo = user?.email === DEMO.email
  return { account: user?.id, addresses, editingId, editing, next: continueAt(args), isDemo }
}

/** A path of the shop; undefined if the address names none. */
function continueAt(args: Pick<LoaderFunctionArgs, 'request'>): string | undefined {
  const next = nextOf(args)
  return next === '/' ? undefined : next
}

/** Address of the page about addresses, or of one of them, that continues at `next`. */
export const addressesAt = (next: string | undefined, id?: number | string): string =>
  (id === undefined ? ADDRESSES : `${ADDRESSES}/${id}`) +
  (next === undefined ? '' : `?next=${encodeURIComponent(next)}`)

/** Result of a form. */
export interface AddressResult extends Refusal {
  /** Success message. */
  done?: string
  /** Id of a new address. */
  saved?: number
  fields?: FieldErrors
  /** Typed values that are not saved. */
  typed?: Record<string, string>
}

/** Messages of forms sent without scripts. */
export const DONE = {
  saved: { done: 'Address saved' },
  deleted: { done: 'Address deleted' },
} satisfies Record<string, AddressResult>

/** Adds an address, changes the one of the page, or deletes one. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const ask = apiOf(args)
  switch (form.get('intent')) {
    case CHOOSE_COUNTRY:
      return data<AddressResult>({ typed: textFieldsOf(form) })
    case 'delete': {
      const params = { addressId: String(form.get('id') ?? '') }
      const { problem } = await attempt(ask('DELETE /api/addresses/:addressId', { params }))
      // One that is already deleted is a success.
      if (problem && problem.status !== 404) return refused(problem)
      return accepted<AddressResult>(args.request, DONE.deleted, 'deleted')
    }
    default:
      return save(args, form)
  }
}

async function save(args: ActionFunctionArgs, form: FormData) {
  const ask = apiOf(args)
  const fields = validateAddress(form)
  if (fields) return data<AddressResult>({ fields, typed: textFieldsOf(form) }, 400)
  const body = addressOf(form)
  const { addressId } = args.params
  const key = String(form.get('key') ?? '')
  const send = async () => {
    await requireSameAccount(ask, form)
    return addressId === undefined
      ? ask('POST /api/addresses/', { body, headers: key ? { 'idempotency-key': key } : {} })
      : ask('PUT /api/addresses/:addressId', { params: { addressId }, body })
  }
  const { response, problem } = await attempt(send())
  if (problem) {
    const typed = textFieldsOf(form)
    // Another address in the form of the last one: the next attempt saves it.
    if (problem.status === 422) typed.key = newIdempotencyKey()
    return refused<AddressResult>(problem, { typed })
  }
  const next = continueAt(args)
  if (next !== undefined) return redirect(next)
  if (addressId !== undefined) return leadsTo(ADDRESSES, 'saved')
  return accepted<AddressResult>(args.request, { ...DONE.saved, saved: response.id }, 'saved')
}

export const handle = { title: () => 'Addresses' }
