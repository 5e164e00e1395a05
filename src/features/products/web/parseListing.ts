import { broken } from '#contract'
import { brokenFile } from '#images/contract.ts'
import { photoOf, upload } from '#images/web/upload.ts'
import { dollars } from '#money'
import type { FieldErrors, Problem } from '#problem'
import { type Ask, attempt } from '#ui/api-client.ts'
import { textFieldsOf } from '#ui/form-draft.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { CHANGED_MEANWHILE, type Listing, ListingChange, ListingDraft, MANY_DECIMALS } from '../contract.ts'

/** A form's listing as the API takes it; an empty number counts as missing. A stock that was shown goes along. */
export function parseListing(form: FormData): ListingDraft & Pick<ListingChange, 'stock_shown'> {
  // A browser that sends the form itself makes two characters of every line's end.
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
  }
}

/**
 * The name of this sending, as the form carries it: sent again, it adds no second listing and no more pieces. And the
 * version that the form was filled from: a later one is not replaced unseen.
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

/** The first message of each field that breaks a rule. A new listing needs a photo, an edited one may have one. */
export function brokenListing(form: FormData, photo: 'required' | 'optional'): FieldErrors | undefined {
  const file = photoOf(form)
  const image = file || photo === 'required' ? brokenFile(file) : undefined
  // A listing that was sold out when the form was opened may stay so.
  const rules = form.get('stock_shown') === '0' ? ListingChange : ListingDraft
  const errors: FieldErrors = { ...broken(rules, parseListing(form)), ...(image ? { image } : {}) }
  // 1,250 may mean 1250 as well as 1.25: nobody guesses at a price.
  if (/[.,]\d{3,}$/.test(String(form.get('price')).trim())) errors.price ??= MANY_DECIMALS
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** What a refused listing form shows. */
export interface ListingResult {
  fields?: FieldErrors
  problems?: string[]
  /** Why the photo was not taken. */
  reason?: string
  /** A photo was chosen, and has to be again: no page can put a file into a form. */
  photoLost?: boolean
  /** The session has ended. */
  loginNeeded?: boolean
  draft: Record<string, string>
  /** The listing, where it was saved and only its photo is missing: sending the form again adds the photo. */
  id?: number
}

/** The listing that an earlier attempt has saved, as the form carries it; undefined where there is none. */
export const savedBy = (form: FormData): number | undefined => Number(form.get('id')) || undefined

/** What was typed, and what was saved already. */
const kept = (form: FormData, id = savedBy(form)) => ({
  draft: textFieldsOf(form),
  ...(id ? { id } : {}),
  // Where scripts sent the form, it is still there.
  ...(import.meta.env.SSR && photoOf(form) ? { photoLost: true } : {}),
})

export const brokenResult = (form: FormData, fields: FieldErrors): ListingResult => ({
  fields,
  ...kept(form),
})

/** What the form now speaks of: what is sent again is meant beside this, and not the same as before. */
const showing = (result: ListingResult, seen: { stock_shown: string; version?: string }): ListingResult => ({
  ...result,
  draft: { ...result.draft, ...seen, key: newIdempotencyKey() },
})

/** What the form shows of a save that was refused. @param id the listing, where there was one already */
export async function refusedListing(
  ask: Ask,
  form: FormData,
  id: number | undefined,
  problem: Problem,
): Promise<ListingResult> {
  const result = {
    problems: problem.status >= 500 ? [problem.message] : problem.errors,
    loginNeeded: problem.status === 401,
    ...kept(form),
  }
  if (problem.status !== 409 || id === undefined) return result
  const now = await ask('GET /api/products/:id', { params: { id } })
  // Sold meanwhile: what is typed next is meant beside the stock of now.
  if (problem.message !== CHANGED_MEANWHILE) return showing(result, { stock_shown: String(now.stock) })
  // The stock is no part of it, and is still meant beside the one that was shown.
  return {
    ...result,
    problems: [STILL_HERE, ...differences(parseListing(form), now)],
    draft: { ...result.draft, version: String(now.version) },
  }
}

const STILL_HERE = `${CHANGED_MEANWHILE}. What you typed is still here: update again to save it instead`

/** What a listing says now, where something else was typed. */
function differences(typed: ListingDraft, now: Listing): string[] {
  const said: [differs: boolean, message: string][] = [
    [typed.name.trim() !== now.name, `Name is now: ${now.name}`],
    [typed.category !== now.category, `Category is now: ${now.category}`],
    [typed.description.trim() !== now.description, `Description is now: ${now.description}`],
    [typed.price !== now.price, `Price is now: ${dollars(now.price)}`],
  ]
  return said.filter(([differs]) => differs).map(([, message]) => message)
}

/** Adds the chosen photo to a saved listing. @returns what the form shows where that failed */
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
  const result = { problems: [`${missing}: ${next}`], reason: problem.message, ...kept(form, id) }
  // The stock that was typed is saved: sent again it changes nothing.
  return showing(result, { stock_shown: String(form.get('stock')), version: String(version) })
}
