import * as z from 'zod/mini'
import { Done, defineCalls, Id, ListQuery, Moment, Money, optionalText, PathId } from '#contract'
import { Because, Reason } from '#operators/contract.ts'
import { Sale } from '#sales/contract.ts'
import { Grounds, Notice, SUBJECTS } from './notices-contract.ts'
import { ListingRow, OrderRow, PersonRow, ReviewRow } from './rows-contract.ts'

export const RULE_LENGTH = 200

/** The reason of a decision, and the rule. The user concerned reads both. */
export const Statement = z.object({ reason: Reason, rule: optionalText('Rule', RULE_LENGTH) })
export type Statement = z.infer<typeof Statement>

/** A report that waits for an answer, with what it is about. */
export const Report = z.object({
  id: Id,
  about: z.enum(SUBJECTS),
  grounds: Grounds,
  words: z.string(),
  created_at: Moment,
  /** Username. Null without an account. */
  reporter: z.nullable(z.string()),
  email: z.nullable(z.string()),
  listing: z.nullable(ListingRow),
  review: z.nullable(ReviewRow),
  /** The seller or author. Null if their account is deleted. */
  person: z.nullable(z.object({ id: Id, username: z.string(), suspended: z.boolean() })),
})
export type Report = z.infer<typeof Report>
/** An objection that waits for an answer. */
export const OpenObjection = z.object({
  decision: Notice,
  /** The listing that the decision hides. Null if it is not about one, or it is deleted. */
  listing: z.nullable(ListingRow),
  person: z.string(),
  person_id: Id,
  mine: z.boolean(),
})
export type OpenObjection = z.infer<typeof OpenObjection>

export const Overview = z.object({
  /** Of the last 24 hours. */
  orders: z.number(),
  sales: Money,
  late: z.number(),
  reports: z.number(),
  objections: z.number(),
  /** Applications to sell that wait. */
  applications: z.number(),
  letters_waiting: z.number(),
  letters_failed: z.number(),
  /** Bytes that are free where the data is, and that the disk has. Null if it is not known. */
  disk: z.nullable(z.object({ free: z.number(), total: z.number() })),
})
export type Overview = z.infer<typeof Overview>

const Search = z.extend(ListQuery, { q: z.optional(optionalText('Search', 100)) })
export type Search = z.infer<typeof Search>
const only = (what: string) => z.optional(z.literal('true', `${what} must be true`))
const pageOf = <S extends z.core.$ZodType>(row: S) =>
  z.object({ rows: z.array(row), next_cursor: z.nullable(z.string()) })
const one = z.object({ id: PathId })
const person = z.object({ userId: PathId })
const decision = z.object({ decisionId: PathId })

export const operateCalls = defineCalls({
  'GET /api/operate/overview': { summary: 'For operators: today at a glance', response: Overview },
  'GET /api/operate/reports': {
    summary: 'For operators: reports that wait for an answer, oldest first',
    response: z.object({ reports: z.array(Report) }),
  },
  'POST /api/operate/reports/:reportId/dismiss': {
    summary: 'For operators: answer a report without a measure',
    params: z.object({ reportId: PathId }),
    body: Because,
    response: Done,
  },
  'GET /api/operate/objections': {
    summary: 'For operators: objections that wait for an answer, oldest first',
    response: z.object({ objections: z.array(OpenObjection) }),
  },
  'POST /api/operate/objections/:decisionId/answer': {
    summary: 'For operators: take a decision back after an objection, or let it stand',
    params: decision,
    body: z.object({ reason: Reason, upheld: z.boolean('Upheld must be true or false') }),
    response: Done,
  },
  'GET /api/operate/listings': {
    summary: 'For operators: listings, hidden ones too, newest first',
    query: z.extend(Search, { hidden: only('Hidden') }),
    response: pageOf(ListingRow),
  },
  'POST /api/operate/listings/:id/hide': {
    summary: 'For operators: hide a listing; its seller gets the reasons',
    params: one,
    body: Statement,
    response: Done,
  },
  'POST /api/operate/listings/:id/show': {
    summary: 'For operators: show a hidden listing again',
    params: one,
    body: Because,
    response: Done,
  },
  'GET /api/operate/reviews': {
    summary: 'For operators: reviews, hidden ones too, newest first',
    query: z.extend(Search, { hidden: only('Hidden') }),
    response: pageOf(ReviewRow),
  },
  'POST /api/operate/reviews/:id/hide': {
    summary: 'For operators: hide a review; its author gets the reasons',
    params: one,
    body: Statement,
    response: Done,
  },
  'POST /api/operate/reviews/:id/show': {
    summary: 'For operators: show a hidden review again',
    params: one,
    body: Because,
    response: Done,
  },
  'POST /api/operate/reviews/:id/reply/hide': {
    summary: 'For operators: hide the reply to a review; its maker gets the reasons',
    params: one,
    body: Statement,
    response: Done,
  },
  'POST /api/operate/reviews/:id/reply/show': {
    summary: 'For operators: show the hidden reply to a review again',
    params: one,
    body: Because,
    response: Done,
  },
  'GET /api/operate/people': {
    summary: 'For operators: people, newest first',
    query: z.extend(Search, { suspended: only('Suspended') }),
    response: pageOf(PersonRow),
  },
  'POST /api/operate/people/:userId/suspend': {
    summary: 'For operators: suspend somebody; what they sell is hidden, and their orders go on',
    params: person,
    body: Statement,
    response: Done,
  },
  'POST /api/operate/people/:userId/restore': {
    summary: 'For operators: end a suspension',
    params: person,
    body: Because,
    response: Done,
  },
  'POST /api/operate/people/:userId/password-link': {
    summary: 'For operators: make a link with which somebody sets a new password; not for operators',
    params: person,
    body: Because,
    response: z.object({ path: z.string() }),
  },
  'GET /api/operate/orders': {
    summary: 'For operators: orders without addresses, newest first',
    query: z.extend(Search, { late: only('Late') }),
    response: pageOf(OrderRow),
  },
  'POST /api/operate/orders/:orderId/open': {
    summary: 'For operators: an order with its address; the log says why',
    params: z.object({ orderId: PathId }),
    body: Because,
    response: Sale,
  },
})
