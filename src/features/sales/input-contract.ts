import * as z from 'zod/mini'
import { MAX_LINES, MAX_QUANTITY } from '#cart/contract.ts'
import { optionalText, requiredNumber, text } from '#contract'
import { isWholeCents } from '#money'

export const REASON_LENGTH = 500
export const NOTE_LENGTH = 500
const CARRIER_LENGTH = 60
const TRACKING_LENGTH = 100
export const PAYMENT_WORDS_LENGTH = 1_000
/** Orders of one batch, and of one page of the list. */
const MAX_BATCH = 100
/** Largest amount of a payment. */
const MAX_AMOUNT = 1_000_000

const ID = 'Id must be the number of a listing'
const QUANTITY = `Quantity must be a whole number from 1 to ${MAX_QUANTITY}`
const LINE = `Line must be a whole number from 1 to ${MAX_LINES}`
const LINES = `Lines must be a list of 1 to ${MAX_LINES} different pieces`
const id = (message: string) =>
  z.int(message).check(z.minimum(1, message), z.maximum(Number.MAX_SAFE_INTEGER, message))
/** Pieces of the order. Missing: all that are open. */
const Lines = z.optional(
  z
    .array(
      z.object({
        id: id(ID),
        /** Which line of this listing, if the order has several. Missing: the first. */
        line: z.optional(z.int(LINE).check(z.minimum(1, LINE), z.maximum(MAX_LINES, LINE))),
        quantity: z.int(QUANTITY).check(z.minimum(1, QUANTITY), z.maximum(MAX_QUANTITY, QUANTITY)),
      }),
      LINES,
    )
    .check(
      z.minLength(1, LINES),
      z.maxLength(MAX_LINES, LINES),
      z.refine(
        lines => new Set(lines.map(({ id, line = 1 }) => `${id}.${line}`)).size === lines.length,
        LINES,
      ),
    ),
)
export type Lines = z.infer<typeof Lines>

export const NewParcel = z.object({
  lines: Lines,
  carrier: z.optional(optionalText('Carrier', CARRIER_LENGTH)),
  tracking: z.optional(optionalText('Tracking number', TRACKING_LENGTH)),
})
export type NewParcel = z.infer<typeof NewParcel>

export const Tracking = z.object({
  carrier: z.optional(optionalText('Carrier', CARRIER_LENGTH)),
  tracking: text('Tracking number', {
    required: 'Tracking number is required',
    max: [TRACKING_LENGTH, `Tracking number cannot be more than ${TRACKING_LENGTH} characters`],
  }),
})
export type Tracking = z.infer<typeof Tracking>

const CODE = 'Code must be the four digits that the shopper has'
export const Collection = z.object({ code: z.string(CODE).check(z.trim(), z.regex(/^\d{4}$/, CODE)) })

export const Cancellation = z.object({
  lines: Lines,
  reason: text('Reason', {
    required: 'Reason is required: the shopper reads it',
    max: [REASON_LENGTH, `Reason cannot be more than ${REASON_LENGTH} characters`],
  }),
})
export type Cancellation = z.infer<typeof Cancellation>

export const MANY_DECIMALS = 'Amount cannot have more than two decimals'
const DAY = 'Day must be a date such as 2026-03-31, and not in the future'
/** Days begin up to 14 hours earlier than in UTC. */
const EARLIEST_ZONE_MS = 14 * 60 * 60 * 1000
/** Whether a day of the calendar has begun somewhere, and is of this century. */
const isPastDay = (day: string): boolean =>
  isDay(day) && Date.parse(`${day}T00:00Z`) <= Date.now() + EARLIEST_ZONE_MS

const isDay = (day: string): boolean => {
  const moment = new Date(`${day}T00:00Z`)
  // The 31st of a shorter month is another day; a 13th month is none.
  return (
    /^2\d{3}-\d{2}-\d{2}$/.test(day) &&
    !Number.isNaN(moment.getTime()) &&
    moment.toISOString().startsWith(day)
  )
}
export const NewPayment = z.object({
  amount: requiredNumber('Amount is required', 'Amount must be a number').check(
    z.positive({ error: 'Amount must be more than 0', abort: true }),
    z.maximum(MAX_AMOUNT, { error: 'Amount cannot be more than 1,000,000', abort: true }),
    z.refine(isWholeCents, MANY_DECIMALS),
  ),
  day: z.string(DAY).check(z.refine(isPastDay, DAY)),
  note: z.optional(optionalText('Note', NOTE_LENGTH)),
})
export type NewPayment = z.infer<typeof NewPayment>

const ORDERS = `Orders must be a list of 1 to ${MAX_BATCH} order numbers`
export const Batch = z.object({
  orders: z.array(id(ORDERS), ORDERS).check(z.minLength(1, ORDERS), z.maxLength(MAX_BATCH, ORDERS)),
  action: z.enum(['sent', 'ready'], 'Action must be sent or ready'),
})
export type Batch = z.infer<typeof Batch>
export const PaymentWords = z.object({ words: optionalText('How to pay', PAYMENT_WORDS_LENGTH) })

/** Address of the export. Not a call: it answers with a file. */
export const EXPORT_PATH = '/api/sales/export.csv'
export const EXPORT_DAYS = 'From and to must be days such as 2026-03-31, from first, and at most a year apart'
const exportDay = z.string(EXPORT_DAYS).check(z.refine(isDay, EXPORT_DAYS))
const MAX_DAYS = 366
/** The period of an export, in days of UTC, both included. */
export const ExportQuery = z.object({ from: exportDay, to: exportDay }).check(
  z.refine(({ from, to }) => {
    const days = (Date.parse(to) - Date.parse(from)) / (24 * 60 * 60 * 1000)
    return days >= 0 && days < MAX_DAYS
  }, EXPORT_DAYS),
)
