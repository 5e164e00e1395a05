import type { WhoMaySell } from '#site/contract.ts'
import type { Ask } from '#ui/api-client.ts'

/** Fields of the forms. */
export const FIELDS = [
  ...(['reason', 'rule', 'email', 'note', 'uses', 'days'] as const),
  ...(['who_may_sell', 'seller_details_required', 'product_safety_required'] as const),
]
/** What an operator types into a form; '' for fields that it has not. */
export type Typed = Record<(typeof FIELDS)[number], string>

interface Intent {
  /** Message when it is done. */
  done: string
  send: (ask: Ask, id: number, typed: Typed) => Promise<unknown>
}

/** Button of a form → the call that it makes, about the row with this id. */
export const intents: Record<string, Intent> = {
  'hide-listing': {
    done: 'Hidden. Its maker gets your reason',
    send: (ask, id, { reason, rule }) =>
      ask('POST /api/operate/listings/:id/hide', { params: { id }, body: { reason, rule } }),
  },
  'show-listing': {
    done: 'Shown again. Its maker gets your reason',
    send: (ask, id, { reason }) =>
      ask('POST /api/operate/listings/:id/show', { params: { id }, body: { reason } }),
  },
  'hide-review': {
    done: 'Hidden. Its author gets your reason',
    send: (ask, id, { reason, rule }) =>
      ask('POST /api/operate/reviews/:id/hide', { params: { id }, body: { reason, rule } }),
  },
  'show-review': {
    done: 'Shown again. Its author gets your reason',
    send: (ask, id, { reason }) =>
      ask('POST /api/operate/reviews/:id/show', { params: { id }, body: { reason } }),
  },
  'hide-reply': {
    done: 'Hidden. Its maker gets your reason',
    send: (ask, id, { reason, rule }) =>
      ask('POST /api/operate/reviews/:id/reply/hide', { params: { id }, body: { reason, rule } }),
  },
  'show-reply': {
    done: 'Shown again. Its maker gets your reason',
    send: (ask, id, { reason }) =>
      ask('POST /api/operate/reviews/:id/reply/show', { params: { id }, body: { reason } }),
  },
  suspend: {
    done: 'Suspended. They get your reason',
    send: (ask, id, { reason, rule }) =>
      ask('POST /api/operate/people/:userId/suspend', { params: { userId: id }, body: { reason, rule } }),
  },
  restore: {
    done: 'The suspension has ended. They get your reason',
    send: (ask, id, { reason }) =>
      ask('POST /api/operate/people/:userId/restore', { params: { userId: id }, body: { reason } }),
  },
  'password-link': {
    done: 'Here is the link. It can be used once, within an hour',
    send: (ask, id, { reason }) =>
      ask('POST /api/operate/people/:userId/password-link', { params: { userId: id }, body: { reason } }),
  },
  dismiss: {
    done: 'The report is answered',
    send: (ask, id, { reason }) =>
      ask('POST /api/operate/reports/:reportId/dismiss', { params: { reportId: id }, body: { reason } }),
  },
  uphold: {
    done: 'The decision is taken back',
    send: (ask, id, { reason }) =>
      ask('POST /api/operate/objections/:decisionId/answer', {
        params: { decisionId: id },
        body: { reason, upheld: true },
      }),
  },
  refuse: {
    done: 'The objection is answered',
    send: (ask, id, { reason }) =>
      ask('POST /api/operate/objections/:decisionId/answer', {
        params: { decisionId: id },
        body: { reason, upheld: false },
      }),
  },
  'open-order': {
    done: 'Here is the order. The log says that you opened it',
    send: (ask, id, { reason }) =>
      ask('POST /api/operate/orders/:orderId/open', { params: { orderId: id }, body: { reason } }),
  },
  'accept-application': {
    done: 'Accepted. They get your words',
    send: (ask, id, { reason }) =>
      ask('POST /api/operate/applications/:id/answer', { params: { id }, body: { accepted: true, reason } }),
  },
  'refuse-application': {
    done: 'Refused. They get your words',
    send: (ask, id, { reason }) =>
      ask('POST /api/operate/applications/:id/answer', { params: { id }, body: { accepted: false, reason } }),
  },
  invite: {
    done: 'Here is the link. It is shown this once',
    send: (ask, _, { note, uses, days }) =>
      ask('POST /api/operate/invitations', { body: { note, uses: Number(uses), days: Number(days) } }),
  },
  'revoke-invitation': {
    done: 'The link is taken back',
    send: (ask, id, { reason }) =>
      ask('POST /api/operate/invitations/:id/revoke', { params: { id }, body: { reason } }),
  },
  'change-settings': {
    done: 'Saved',
    send: (ask, _, { who_may_sell, seller_details_required, product_safety_required, reason }) =>
      ask('PUT /api/operate/settings', {
        body: {
          who_may_sell: who_may_sell as WhoMaySell,
          seller_details_required: seller_details_required === 'on',
          product_safety_required: product_safety_required === 'on',
          reason,
        },
      }),
  },
  'test-letter': {
    done: 'A letter is on its way to you',
    send: ask => ask('POST /api/operate/setup/letter'),
  },
  'end-setup': {
    done: 'The setup has ended. Welcome to your shop',
    send: ask => ask('POST /api/operate/setup/end'),
  },
  'add-operator': {
    done: 'They are an operator now',
    send: (ask, _, { email, reason }) => ask('POST /api/operate/operators', { body: { email, reason } }),
  },
  'remove-operator': {
    done: 'They are no longer an operator',
    send: (ask, id, { reason }) =>
      ask('POST /api/operate/operators/:userId/remove', { params: { userId: id }, body: { reason } }),
  },
}

/** Messages of forms that are sent without scripts. */
export const DONE: Record<string, { done: string }> = Object.fromEntries(
  Object.entries(intents).map(([name, { done }]) => [name, { done }]),
)
