import * as z from 'zod/mini'
import { emailRule } from '#accounts/user.ts'
import { Id, IdInQuery, ListQuery, Moment, optionalText, text } from '#contract'
import { ACTIONS, type Action } from '#operators/contract.ts'

// What people send to operators, and what these decide about them.

export const REPORT_LENGTH = 1_000
export const OBJECTION_LENGTH = 2_000

/** Why something is reported: the reasons from which people choose. */
export const GROUNDS = {
  illegal: 'Against the law',
  copy: 'A copy, or a photo that belongs to somebody else',
  'not-handmade': 'Not handmade',
  dangerous: 'Dangerous',
  insulting: 'Insulting, or about a person’s private life',
  fraud: 'Fraud, or not true',
  other: 'Something else',
} as const
type GroundsName = keyof typeof GROUNDS

/** What can be reported. */
export const SUBJECTS = ['listing', 'review', 'reply', 'shop'] as const
export type Subject = (typeof SUBJECTS)[number]
export const Grounds = z.enum(
  Object.keys(GROUNDS) as [GroundsName, ...GroundsName[]],
  'Please choose a reason',
)
export type Grounds = z.infer<typeof Grounds>

export const NewReport = z.object({
  grounds: Grounds,
  words: text('Report', {
    required: 'Please say what is wrong',
    max: [REPORT_LENGTH, `Report cannot be more than ${REPORT_LENGTH} characters`],
  }),
  /** E-mail address of a reporter without an account who wants an answer. '' without one. */
  email: z.optional(
    optionalText('Email', 254).check(z.refine(value => value === '' || value.includes('@'), emailRule)),
  ),
})
export type NewReport = z.infer<typeof NewReport>
export const Received = z.object({ id: Id, message: z.string() })

export const Objection = z.object({
  words: text('Objection', {
    required: 'Please say why you object',
    max: [OBJECTION_LENGTH, `Objection cannot be more than ${OBJECTION_LENGTH} characters`],
  }),
})

const actionOf = z.enum(Object.keys(ACTIONS) as [Action, ...Action[]])
/** A decision as the user concerned reads it. */
export const Notice = z.object({
  id: Id,
  action: actionOf,
  /** Name of the listing. Null if the decision is about the user. */
  listing: z.nullable(z.string()),
  /** The review that is hidden. Null if it is not about one, or it is deleted. */
  review: z.nullable(z.string()),
  /** Id of that review, or of the one that `reply` answers. Null without either. */
  review_id: z.nullable(Id),
  /** The reply that this decision hides. Null if it is not about one, or it is deleted or shown again. */
  reply: z.nullable(z.string()),
  reason: z.string(),
  rule: z.string(),
  created_at: Moment,
  /** When it was taken back. Null if it stands. */
  taken_back_at: z.nullable(Moment),
  objection: z.nullable(
    z.object({
      words: z.string(),
      created_at: Moment,
      /** Null while it waits. */
      answer: z.nullable(z.object({ upheld: z.boolean(), reason: z.string(), created_at: Moment })),
    }),
  ),
})
export type Notice = z.infer<typeof Notice>

export const NoticePage = z.object({ notices: z.array(Notice), next_cursor: z.nullable(z.string()) })
export type NoticePage = z.infer<typeof NoticePage>
/** `from`: id of the notice that the list begins with. Newer ones are left out. */
export const NoticesQuery = z.extend(ListQuery, { from: z.optional(IdInQuery) })
export type NoticesQuery = z.infer<typeof NoticesQuery>

/** Title of a decision, for the user concerned. */
export function noticeTitle({ action, listing }: { action: Action; listing: string | null }): string {
  const piece = listing ?? 'a piece'
  switch (action) {
    case 'listing-hidden':
      return `Your piece ${piece} is hidden`
    case 'listing-shown':
      return `Your piece ${piece} is no longer hidden`
    case 'review-hidden':
      return `Your review of ${piece} is hidden`
    case 'review-shown':
      return `Your review of ${piece} is no longer hidden`
    case 'reply-hidden':
      return `Your reply to a review of ${piece} is hidden`
    case 'reply-shown':
      return `Your reply to a review of ${piece} is no longer hidden`
    case 'person-suspended':
      return 'Your shop is suspended'
    case 'person-restored':
      return 'Your shop is open again'
    default:
      return 'An answer to your objection'
  }
}
