import { hasAmbiguousSeparator, twoDecimals } from '#money'
import type { FieldErrors } from '#problem'
import { decimalIn } from '#text'
import type { Ask } from '#ui/api-client.ts'
import { attempt } from '#ui/api-client.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { PAGE_SIZE } from '#ui/page-size.ts'
import { textFieldsOf } from '#ui/text-fields.ts'
import type { Seen } from '../bulk-contract.ts'
import { MANY_DECIMALS, RequiredFields, type ShelfListing, STOCK_SEPARATOR } from '../contract.ts'
import { seenIn, seenText } from './seen.ts'

// Prices and stocks that are edited in Your Listings. Each listing also sends `seen`: its version and the values that
// it showed.

type Kind = 'price' | 'stock'
export const LABELS: Record<Kind, string> = { price: 'Price', stock: 'Stock' }
export const controlOf = (kind: Kind, id: number): string => `${kind}-${id}`
export const textOf = (kind: Kind, { price, stock }: Pick<ShelfListing, Kind>): string =>
  kind === 'price' ? twoDecimals(price) : String(stock)

/** Messages for an ambiguous number: '1,000' may be 1000 or 1. */
const AMBIGUOUS: Record<Kind, string> = {
  price: MANY_DECIMALS,
  stock: STOCK_SEPARATOR,
}

/** Whether a typed price or stock is the stored one, in other digits perhaps. */
export const isStored = (text: string, stored: number): boolean =>
  decimalIn(text) === stored && !hasAmbiguousSeparator(text)

interface Change {
  kind: Kind
  seen: Seen
  amount: number
  error: string | undefined
}

/** Typed values that differ from the shown ones. Stocks come first, because saving a price makes a new version. */
function changesIn(form: FormData): Change[] {
  const typed = textFieldsOf(form)
  const rows = form.getAll('seen').map(text => seenIn(String(text)))
  return (['stock', 'price'] as const).flatMap(kind =>
    rows.flatMap(seen => {
      const text = typed[controlOf(kind, seen.id)]
      if (text === undefined) return []
      if (isStored(text, seen[kind])) return []
      const amount = decimalIn(text)
      const wrong = RequiredFields.shape[kind].safeParse(amount).error?.issues[0]?.message
      return [{ kind, seen, amount, error: hasAmbiguousSeparator(text) ? AMBIGUOUS[kind] : wrong }]
    }),
  )
}

const errorsOf = (changes: Change[]): FieldErrors =>
  Object.fromEntries(
    changes.flatMap(({ kind, seen, error }) => (error ? [[controlOf(kind, seen.id), error]] : [])),
  )

/** First error of each control; undefined if all can be saved. */
export function validatePrices(form: FormData): FieldErrors | undefined {
  const errors = errorsOf(changesIn(form))
  return Object.keys(errors).length > 0 ? errors : undefined
}

export interface UnsavedPrice {
  /** The `seen` of the listing, and name, label and text of the control. */
  seen: string
  control: string
  label: string
  text: string
}

/** The changed prices and stocks of a page, to show them without its listings. Names are public. */
export async function unsavedPrices(ask: Ask, form: FormData): Promise<UnsavedPrice[]> {
  const typed = textFieldsOf(form)
  return Promise.all(
    // At most the two controls of each listing on a page: a forged form causes no more reads.
    changesIn(form)
      .slice(0, 2 * PAGE_SIZE)
      .map(async ({ kind, seen }) => {
        const { response } = await attempt(ask('GET /api/products/:id', { params: { id: seen.id } }))
        const control = controlOf(kind, seen.id)
        const label = `${LABELS[kind]} of ${response?.name ?? `listing ${seen.id}`}`
        return { seen: seenText(seen), control, label, text: typed[control] ?? '' }
      }),
  )
}

export interface SavedPrices {
  /** How many prices and stocks are saved. */
  saved: number
  /** Why others are not, by control. */
  fields: FieldErrors
  /** Why the server has refused a whole call. */
  problems: string[]
  /** HTTP status: 200, 400 for typed values that break a rule, 409 for what was changed meanwhile, or of a refused call. */
  status: number
}

/**
 * Saves the changed prices and stocks, unless one of them breaks a rule. A version conflict refuses a listing. Units
 * sold meanwhile stay sold. A retry of the form changes nothing twice.
 */
export async function savePrices(ask: Ask, form: FormData): Promise<SavedPrices> {
  const changes = changesIn(form)
  const fields = errorsOf(changes)
  if (Object.keys(fields).length > 0) return { saved: 0, fields, problems: [], status: 400 }
  const headers = { 'idempotency-key': String(form.get('key') || newIdempotencyKey()) }
  let saved = 0
  for (const { kind, seen, amount } of changes) {
    const body = { change: `${kind}_set` as const, amount, rows: [seen] }
    const { response, problem } = await attempt(ask('POST /api/products/bulk', { headers, body }))
    if (problem) return { saved, fields, problems: problem.errors, status: problem.status || 503 }
    for (const { id, done, message } of response.results)
      if (done) saved++
      else fields[controlOf(kind, id)] = message
  }
  return { saved, fields, problems: [], status: Object.keys(fields).length > 0 ? 409 : 200 }
}
