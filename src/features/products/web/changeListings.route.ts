import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { fieldErrors } from '#contract'
import { hasAmbiguousSeparator } from '#money'
import type { FieldErrors } from '#problem'
import { decimalIn } from '#text'
import { apiOf, attempt } from '#ui/api-client.ts'
import { leadsTo, type Refusal, refused } from '#ui/flash.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import {
  type BulkChange,
  BulkPreview,
  type BulkResult,
  CHANGES,
  type Change,
  NONE_CHOSEN,
  type Previewed,
} from '../bulk-contract.ts'
import { MANY_DECIMALS } from '../contract.ts'
import { detailsOf } from '../form-details.ts'
import { seenIn } from './seen.ts'
import { shelfIn, YOUR_LISTINGS } from './shelfQuery.ts'

/** What is typed for the change, by the names of its controls; undefined: the page has not asked for it yet. */
export type ChangeTexts = Partial<Record<'amount' | 'tags' | 'section_id', string>>

interface ChangePage {
  change: Change
  typed: ChangeTexts
  sections: { id: number; name: string }[]
  /** Undefined before something is typed, and where it is refused. */
  preview: Previewed | undefined
  fields: FieldErrors
  problems: string[]
  /** Idempotency key of the form. */
  key: string
}

/** What the chosen change would make of the chosen listings. */
export async function loader(args: LoaderFunctionArgs): Promise<ChangePage> {
  const user = await requireLoginUnlessTyped(args)
  const { search, searchParams } = new URL(args.request.url)
  const ids = searchParams.getAll('ids').map(Number)
  const isAll = searchParams.get('all') === 'yes'
  const change = CHANGES.find(each => each === searchParams.get('change')) ?? 'price_percent'
  const typed = typedIn(name => searchParams.get(name) ?? undefined)
  const page = {
    change,
    typed,
    sections: [],
    preview: undefined,
    fields: {},
    problems: [],
    key: newIdempotencyKey(),
  }
  if (!user) return page
  if (ids.length === 0 && !isAll) return { ...page, problems: [NONE_CHOSEN] }
  const ask = apiOf(args)
  const sections = change === 'section' ? (await ask('GET /api/sections/')).sections : []
  if (!needsNoValue(change) && Object.keys(typed).length === 0) return { ...page, sections }
  const ambiguous = ambiguousAmount(change, typed)
  if (ambiguous) return { ...page, sections, fields: ambiguous }
  const { q, soldOut } = shelfIn(search)
  const which = isAll ? { matching: { ...(q ? { name: q } : {}), sold_out: soldOut } } : { ids }
  const body = { ...bodyOf(change, typed), ...which }
  const fields = fieldErrors(BulkPreview, body)
  if (fields) {
    // Messages of no control stand above the form.
    const problems = Object.entries(fields).flatMap(([name, message]) => (name in typed ? [] : [message]))
    return { ...page, sections, fields, problems }
  }
  const { response, problem } = await attempt(ask('POST /api/products/bulk/preview', { body }))
  if (problem && problem.status !== 400) throw problem
  return { ...page, sections, preview: response, problems: problem?.errors ?? [] }
}

const typedIn = (of: (name: string) => string | undefined): ChangeTexts =>
  Object.fromEntries(
    (['amount', 'tags', 'section_id'] as const).flatMap(name => {
      const value = of(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** '1,250' is 1250 or 1.25: an amount of that kind is asked for again. */
const ambiguousAmount = (change: Change, { amount = '' }: ChangeTexts): FieldErrors | undefined => {
  if (!hasAmbiguousSeparator(amount)) return undefined
  return { amount: change.startsWith('stock') ? 'Please write the number without separators' : MANY_DECIMALS }
}

/** The change as the API takes it. What is no number is refused there. */
function bodyOf(change: Change, { amount, tags, section_id }: ChangeTexts): BulkChange {
  const number = decimalIn((amount ?? '').replace('−', '-'))
  return {
    change,
    ...(number === undefined ? {} : { amount: number }),
    ...(tags === undefined ? {} : { tags: detailsOf(name => (name === 'tags' ? tags : undefined)).tags }),
    ...(section_id === undefined ? {} : { section_id: Number(section_id) || null }),
  }
}

/** Whether a change needs no number or text. */
export const needsNoValue = (change: Change): boolean => change === 'retire' || change === 'restore'

export interface ChangeResult extends Refusal {
  /** What was sent, to send the same again. */
  sent?: [name: string, value: string][]
  /** The result for each listing, if some were refused. */
  results?: BulkResult['results']
}

/** Makes the change that was shown. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : undefined
  }
  const change = text('change') as Change
  const rows = form.getAll('row').map(row => seenIn(String(row)))
  const { response, problem } = await attempt(
    apiOf(args)('POST /api/products/bulk', {
      headers: { 'idempotency-key': text('key') || newIdempotencyKey() },
      body: { ...bodyOf(change, typedIn(text)), rows },
    }),
  )
  if (problem) {
    const sent = [...form].flatMap<[string, string]>(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    )
    return refused<ChangeResult>(problem, { sent })
  }
  if (response.results.every(({ done }) => done)) return leadsTo(YOUR_LISTINGS, 'changed')
  return data<ChangeResult>({ results: response.results }, 409)
}

/** Not after a change: the page shows its result. */
export const shouldRevalidate = ({ actionStatus }: ShouldRevalidateFunctionArgs): boolean =>
  actionStatus === undefined

export const handle = { title: () => 'Change many at once', hasKey: true }
