import { fieldErrors } from '#contract'
import { brokenFile } from '#images/contract.ts'
import { photoOf, upload } from '#images/web/upload.ts'
import { dollars, isAmbiguous } from '#money'
import type { FieldErrors, Problem } from '#problem'
import { type Ask, attempt } from '#ui/api-client.ts'
import { textFieldsOf } from '#ui/form-draft.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import {
  CHANGED_MEANWHILE,
  type Handling,
  type Listing,
  ListingChange,
  type ListingDraft,
  MANY_DECIMALS,
  NewListing,
} from '../contract.ts'

/** A form's listing as the API takes it; an empty number counts as missing. Includes the stock shown. */
export function parseListing(form: FormData): NewListing & Pick<ListingChange, 'stock_shown'> {
  // Browsers send line ends as two characters.
  const text = (name: string) => String(form.get(name) ?? '').replaceAll('\r\n', '\n')
  const number = (name: string, figures = text(name)) =>
    figures.trim() === '' ? (undefined as never) : Number(figures)
  return {
    name: text('name'),
    category: text('category'),
    description: text('description'),
    price: number('price', text('price').replace(',', '.')),
    stock: number('stock'),
    ...(form.has('stock_shown') ? { stock_shown: number('stock_shown') } : {}),
    ...parseHandling(form),
  } satisfies Record<keyof ListingDraft, unknown>
}

/** How it is sent, unless a page without these fields was open. */
function parseHandling(form: FormData): Handling {
  if (!form.has('handling_days')) return {}
  const days = String(form.get('handling_days')).trim()
  return {
    postage_profile_id: Number(form.get('postage_profile_id')) || null,
    made_to_order: form.get('made_to_order') === 'yes',
    // An empty field is no number, rather than "as it was".
    handling_days: days === '' ? Number.NaN : Number(days),
  }
}

/**
 * Headers from the form: its idempotency key, so that a retry adds no second listing or stock, and the version it
 * was filled from.
 */
export function headersOf(form: FormData): { headers: Record<string, string> } {
  const key = String(form.get('key') ?? '')
  const version = String(form.get('version') ?? '')
  return {
    headers: {
      ...(key ? { 'idempotency-key': key } : {}),
      ...(version ? { 'expected-version': version } : {}),
    },
  }
}

/** First error of each field. A new listing needs a photo. */
export function brokenListing(form: FormData, photo: 'required' | 'optional'): FieldErrors | undefined {
  const file = photoOf(form)
  const image = file || photo === 'required' ? brokenFile(file) : undefined
  // A listing that was sold out when the form opened may stay so.
  const rules = form.get('stock_shown') === '0' ? ListingChange : NewListing
  const errors: FieldErrors = { ...fieldErrors(rules, parseListing(form)), ...(image ? { image } : {}) }
  if (isAmbiguous(String(form.get('price')))) errors.price ??= MANY_DECIMALS
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** State of a refused listing form. */
export interface ListingResult {
  fields?: FieldErrors
  problems?: string[]
  /** Why the photo was refused. */
  reason?: string
  /** The photo has to be chosen again: a page cannot fill a file field. */
  photoLost?: boolean
  /** The session has ended. */
  loginNeeded?: boolean
  draft: Record<string, string>
  /** Id of a saved listing whose photo is missing: a retry adds the photo. */
  id?: number
}

/** Id of the listing that an earlier attempt saved. */
export const savedBy = (form: FormData): number | undefined => Number(form.get('id')) || undefined

/** Typed values and the saved id. */
const draftOf = (form: FormData, id = savedBy(form)) => ({
  draft: textFieldsOf(form),
  ...(id ? { id } : {}),
  // Scripts keep the chosen file in the form.
  ...(import.meta.env.SSR && photoOf(form) ? { photoLost: true } : {}),
})

export const brokenResult = (form: FormData, fields: FieldErrors): ListingResult => ({
  fields,
  ...draftOf(form),
})

/** Stock and version that the form now shows: the next attempt is based on them. */
const showing = (
  result: ListingResult,
  current: { stock_shown: string; version?: string },
): ListingResult => ({
  ...result,
  draft: { ...result.draft, ...current, key: newIdempotencyKey() },
})

/** State of the form after a refusal. @param id of an existing listing */
export async function refusedListing(
  ask: Ask,
  form: FormData,
  id: number | undefined,
  problem: Problem,
): Promise<ListingResult> {
  const result = {
    problems: problem.status >= 500 ? [problem.message] : problem.errors,
    loginNeeded: problem.status === 401,
    ...draftOf(form),
  }
  if (problem.status !== 409 || id === undefined) return result
  const [now, postage] = await Promise.all([
    ask('GET /api/products/:id', { params: { id } }),
    ask('GET /api/products/:id/postage', { params: { id } }),
  ])
  // After a concurrent sale: the next attempt is based on the present stock.
  if (problem.message !== CHANGED_MEANWHILE) return showing(result, { stock_shown: String(now.stock) })
  // The version has no stock: that is still based on the stock shown.
  return {
    ...result,
    problems: [STILL_HERE, ...differences(parseListing(form), { ...now, ...postage })],
    draft: { ...result.draft, version: String(now.version) },
  }
}

const STILL_HERE = `${CHANGED_MEANWHILE}. What you typed is still here: update again to save it instead`

/** Fields whose present value differs from the typed one. */
function differences(typed: NewListing, now: Listing & Required<Handling>): string[] {
  const fields: Record<Exclude<keyof ListingDraft, 'stock'>, [label: string, typed: string, now: string]> = {
    name: ['Name', typed.name.trim(), now.name],
    category: ['Category', typed.category, now.category],
    description: ['Description', typed.description.trim(), now.description],
    price: ['Price', dollars(typed.price), dollars(now.price)],
  }
  const delivery: [label: string, typed: unknown, now: unknown][] = [
    ['Postage', typed.postage_profile_id, now.postage_profile_id],
    ['How it is made', typed.made_to_order, now.made_to_order],
    ['Days until it is ready', typed.handling_days, now.handling_days],
  ]
  return [
    ...Object.values(fields)
      .filter(([, typed, now]) => typed !== now)
      .map(([label, , now]) => `${label} is now: ${now}`),
    ...delivery
      .filter(([, typed, now]) => typed !== undefined && typed !== now)
      .map(([label]) => `${label} was changed`),
  ]
}

/** Adds the chosen photo to a saved listing. @returns the state of the form if that failed */
export async function addPhoto(
  ask: Ask,
  form: FormData,
  { id, version }: Listing,
  saved: string,
): Promise<ListingResult | undefined> {
  const file = photoOf(form)
  if (!file) return undefined
  const sent = upload(onProgress =>
    ask('POST /api/products/:id/images', { params: { id }, body: { image: file }, onProgress }),
  )
  const { problem } = await attempt(sent)
  if (!problem) return undefined
  const missing = `${saved}, but its photo was not. Everything else is kept`
  const next = 'choose a photo, or try the upload again.'
  const result = { problems: [`${missing}: ${next}`], reason: problem.message, ...draftOf(form, id) }
  // The typed stock is saved: a retry changes nothing.
  return showing(result, { stock_shown: String(form.get('stock')), version: String(version) })
}
