import type { Ask } from '#ui/api-client.ts'

/** What an operator types into a form. */
interface Typed {
  reason: string
  rule: string
  email: string
}

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
  'add-operator': {
    done: 'They are an operator now',
    send: (ask, _, { email, reason }) => ask('POST /api/operate/operators', { body: { email, reason } }),
  },
  'remove-operator': {
    done: 'They are no operator any more',
    send: (ask, id, { reason }) =>
      ask('POST /api/operate/operators/:userId/remove', { params: { userId: id }, body: { reason } }),
  },
}

/** Messages of forms that are sent without scripts. */
export const DONE: Record<string, { done: string }> = Object.fromEntries(
  Object.entries(intents).map(([name, { done }]) => [name, { done }]),
)
