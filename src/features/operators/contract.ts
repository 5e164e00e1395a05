import * as z from 'zod/mini'
import { ProofOfOwner } from '#accounts/passkeys-contract.ts'
import { Email, HASH_COST } from '#accounts/user.ts'
import { Done, defineCalls, Id, ListQuery, Moment, optionalText, PathId, text } from '#contract'

/** How long an operator may act after a reauthentication, hours. */
export const OPERATOR_HOURS = 4

/** Longest reason, characters. */
export const REASON_LENGTH = 1_000
/** Why an operator does something, at most so many characters. If it concerns a person, they read it. */
export const reasonUpTo = (most: number) =>
  text('Reason', {
    required: 'Please give a reason',
    max: [most, `Reason cannot be more than ${most} characters`],
  })
export const Reason = reasonUpTo(REASON_LENGTH)

/** Only a reason. */
export const Because = z.object({ reason: Reason })

/** What is in the log of the operators. */
export const ACTIONS = {
  'operator-added': 'named an operator',
  'operator-removed': 'removed an operator',
  'listing-hidden': 'hid a listing',
  'listing-shown': 'showed a listing again',
  'review-hidden': 'hid a review',
  'review-shown': 'showed a review again',
  'reply-hidden': 'hid a reply to a review',
  'reply-shown': 'showed a reply to a review again',
  'person-suspended': 'suspended somebody',
  'person-restored': 'ended a suspension',
  'password-link': 'made a link for a new password',
  'orders-exported': 'exported the orders',
  'order-opened': 'opened an order with its address',
  'report-dismissed': 'answered a report without a measure',
  'objection-refused': 'refused an objection',
  'objection-upheld': 'upheld an objection about something that is gone',
  'settings-changed': 'changed the settings',
  'brand-changed': 'changed name or look of the shop',
  'setup-ended': 'ended the setup',
  'application-accepted': 'accepted an application to sell',
  'application-refused': 'refused an application to sell',
  'invitation-made': 'made an invitation to sell',
  'invitation-revoked': 'took an invitation to sell back',
  'page-published': 'published a page',
  'page-taken-back': 'took back a page',
  'page-agreement': 'chose whether new members agree to a page',
} as const
export type Action = keyof typeof ACTIONS
const action = z.enum(Object.keys(ACTIONS) as [Action, ...Action[]])

/** An entry of the log. */
export const LogEntry = z.object({
  id: Id,
  action,
  /** First and last name of the operator. Null if their account is deleted, or for a command on the server. */
  operator: z.nullable(z.string()),
  /** Their username: two may have one name. */
  operator_username: z.nullable(z.string()),
  by_command: z.boolean(),
  /** Username of the user concerned. Null without one, or if their account is deleted. */
  person: z.nullable(z.string()),
  listing: z.nullable(z.object({ id: Id, name: z.string() })),
  review_id: z.nullable(Id),
  order_id: z.nullable(Id),
  /** Id of the log entry that it takes back or answers. */
  about: z.nullable(Id),
  reason: z.string(),
  rule: z.string(),
  created_at: Moment,
})
export type LogEntry = z.infer<typeof LogEntry>

/** An operator: a user who runs the shop. */
export const Operator = z.object({
  id: Id,
  name: z.string(),
  username: z.string(),
  email: z.string(),
  added_at: Moment,
  has_passkey: z.boolean(),
})
export type Operator = z.infer<typeof Operator>

/** What the page needs that asks operators to prove who they are. */
export const OperatorSession = z.object({
  /** Whether they have proved it, in this browser and lately. */
  confirmed: z.boolean(),
  /** Whether the shop takes passkeys alone. */
  passkey_required: z.boolean(),
  has_passkey: z.boolean(),
})
export type OperatorSession = z.infer<typeof OperatorSession>

/** Message of a refusal (403) upon which pages ask for reauthentication. */
export const PLEASE_CONFIRM = 'Please confirm that it is you'
export const PASSKEY_REQUIRED = 'Operators of this shop need a passkey: add one in Settings, under Security'
export const UNUSABLE_SETUP_LINK =
  'This link is not valid, or somebody runs this shop already. Start the shop again for a new one'
export const ALREADY_OPERATOR = 'They are an operator already'

export const calls = defineCalls({
  'GET /api/operate/session': {
    summary: 'For operators: whether they have proved who they are',
    response: OperatorSession,
  },
  'POST /api/operate/session': {
    summary: 'For operators: prove who one is, with the password or a passkey',
    cost: HASH_COST,
    body: ProofOfOwner,
    response: Done,
  },
  'DELETE /api/operate/session': {
    summary: 'For operators: leave the pages of operators, and stay logged in',
    response: Done,
  },
  'POST /api/setup': {
    summary: 'Become the first operator, with the link that a new shop prints when it starts',
    body: z.object({ token: z.string(UNUSABLE_SETUP_LINK).check(z.maxLength(100, UNUSABLE_SETUP_LINK)) }),
    response: Done,
  },
  'GET /api/operate/operators': {
    summary: 'For operators: all of them',
    response: z.object({ operators: z.array(Operator) }),
  },
  'POST /api/operate/operators': {
    summary: 'For operators: name another one, who has an account',
    body: z.object({ email: Email, reason: Reason }),
    response: Operator,
    status: 201,
  },
  'POST /api/operate/operators/:userId/remove': {
    summary: 'For operators: remove one; not the last',
    params: z.object({ userId: PathId }),
    body: Because,
    response: Done,
  },
  'GET /api/operate/log': {
    summary: 'For operators: what all of them did, newest first',
    query: z.extend(ListQuery, {
      /**
       * The username of an operator or of the user concerned, or the number of an entry, a listing, a review or an
       * order.
       */
      q: z.optional(optionalText('Search', 100)),
    }),
    response: z.object({ entries: z.array(LogEntry), next_cursor: z.nullable(z.string()) }),
  },
})
