import type * as z from 'zod/mini'
import { fieldErrors } from '#contract'
import { hasAmbiguousSeparator } from '#money'
import type { FieldErrors } from '#problem'
import { decimalIn } from '#text'
import {
  Cancellation,
  Collection,
  MANY_DECIMALS,
  NewParcel,
  NewPayment,
  Tracking,
} from '../input-contract.ts'

/** What a form of the page does to the order. */
export const intents = [
  'sent',
  'tracked',
  'ready',
  'collected',
  'cancelled',
  'paid',
  'refunded',
  'undone',
] as const
export type Intent = (typeof intents)[number]

/** The rules of the forms that have fields. */
const rules: Partial<Record<Intent, z.ZodMiniObject>> = {
  sent: NewParcel,
  tracked: Tracking,
  collected: Collection,
  cancelled: Cancellation,
  paid: NewPayment,
  refunded: NewPayment,
}

const UNITS = 'units-'
/** Field name of how many of a line. @param id of its listing */
export const unitsOf = ({ id, line }: { id: number; line: number }): string =>
  line === 1 ? `${UNITS}${id}` : `${UNITS}${id}.${line}`

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '')
/** A typed number; text that is none stays, and is refused with a message. */
function numberOf(text: string): number | string | undefined {
  const number = decimalIn(text)
  return Number.isNaN(number) ? text : number
}

/** A form as the API takes it. */
export function bodyOf(intent: Intent, form: FormData): Record<string, unknown> {
  const lines = [...form.keys()]
    .filter(name => name.startsWith(UNITS))
    .map(name => {
      const [id, line] = name.slice(UNITS.length).split('.').map(Number)
      const quantity = numberOf(textOf(form, name)) ?? 0
      return { id, ...(line === undefined ? {} : { line }), quantity }
    })
    .filter(({ quantity }) => quantity !== 0)
  const text = (name: string) => textOf(form, name)
  switch (intent) {
    case 'sent':
      return { lines, carrier: text('carrier'), tracking: text('tracking') }
    case 'tracked':
      return { carrier: text('carrier'), tracking: text('tracking') }
    case 'collected':
      return { code: text('code') }
    case 'cancelled':
      return { lines, reason: text('reason') }
    case 'paid':
    case 'refunded':
      return { amount: numberOf(text('amount')), day: text('day'), note: text('note') }
    default:
      return {}
  }
}

const NONE = 'Choose at least one piece'

/** First error of each field; `lines` if no piece, or a wrong number of one, is chosen. */
export function validateSale(intent: Intent, form: FormData): FieldErrors | undefined {
  const rule = rules[intent]
  const body = bodyOf(intent, form)
  const broken = rule && fieldErrors(rule, body)
  const errors =
    rule === NewPayment && hasAmbiguousSeparator(textOf(form, 'amount'))
      ? { amount: MANY_DECIMALS, ...broken }
      : broken
  return errors?.lines && Array.isArray(body.lines) && body.lines.length === 0
    ? { ...errors, lines: NONE }
    : errors
}
