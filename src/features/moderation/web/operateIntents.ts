import { type Call, fieldErrors } from '#contract'
import { calls as onboarding } from '#onboarding/contract.ts'
import { calls as operators } from '#operators/contract.ts'
import type { FieldErrors } from '#problem'
import { calls as site, type WhoMaySell } from '#site/contract.ts'
import type { AllCalls, Ask, Input } from '#ui/api-client.ts'
import { operateCalls } from '../operate-contract.ts'
import { setupCalls } from '../setup-contract.ts'

/** Fields of the forms. */
export const FIELDS = [
  ...(['reason', 'rule', 'email', 'note', 'uses', 'days'] as const),
  ...(['who_may_sell', 'seller_details_required', 'product_safety_required', 'version'] as const),
]
/** What an operator types into a form; '' for fields that it has not. */
export type OperateTexts = Record<(typeof FIELDS)[number], string>

const calls = { ...operateCalls, ...setupCalls, ...onboarding, ...operators, ...site }

interface Intent {
  /** Message when it is done. */
  done: string
  /** Messages by field of what the call would refuse, before it is sent. Undefined without any. */
  check: (typed: OperateTexts) => FieldErrors | undefined
  send: (ask: Ask, id: number, typed: OperateTexts) => Promise<unknown>
}

/** A button that makes a call, with the input of the row with this id. */
const intent = <K extends keyof typeof calls & keyof AllCalls>(
  done: string,
  key: K,
  inputOf: (id: number, typed: OperateTexts) => Input<AllCalls[K]> = () => ({}),
): Intent => ({
  done,
  check(typed) {
    const { body } = calls[key] as Call
    return body && fieldErrors(body, inputOf(0, typed).body)
  },
  send: (ask, id, typed) => ask(key, inputOf(id, typed)),
})

/** Button of a form → the call that it makes, about the row with this id. */
export const intents: Record<string, Intent> = {
  'hide-listing': intent(
    'Hidden. Its maker gets your reason',
    'POST /api/operate/listings/:id/hide',
    (id, { reason, rule }) => ({ params: { id }, body: { reason, rule } }),
  ),
  'show-listing': intent(
    'No longer hidden. Its maker gets your reason',
    'POST /api/operate/listings/:id/show',
    (id, { reason }) => ({ params: { id }, body: { reason } }),
  ),
  'hide-review': intent(
    'Hidden. Its author gets your reason',
    'POST /api/operate/reviews/:id/hide',
    (id, { reason, rule }) => ({ params: { id }, body: { reason, rule } }),
  ),
  'show-review': intent(
    'No longer hidden. Its author gets your reason',
    'POST /api/operate/reviews/:id/show',
    (id, { reason }) => ({ params: { id }, body: { reason } }),
  ),
  'hide-reply': intent(
    'Hidden. Its maker gets your reason',
    'POST /api/operate/reviews/:id/reply/hide',
    (id, { reason, rule }) => ({ params: { id }, body: { reason, rule } }),
  ),
  'show-reply': intent(
    'No longer hidden. Its maker gets your reason',
    'POST /api/operate/reviews/:id/reply/show',
    (id, { reason }) => ({ params: { id }, body: { reason } }),
  ),
  suspend: intent(
    'Suspended. They get your reason',
    'POST /api/operate/people/:userId/suspend',
    (id, { reason, rule }) => ({ params: { userId: id }, body: { reason, rule } }),
  ),
  restore: intent(
    'The suspension has ended. They get your reason',
    'POST /api/operate/people/:userId/restore',
    (id, { reason }) => ({ params: { userId: id }, body: { reason } }),
  ),
  'password-link': intent(
    'Here is the link. It can be used once, within an hour',
    'POST /api/operate/people/:userId/password-link',
    (id, { reason }) => ({ params: { userId: id }, body: { reason } }),
  ),
  dismiss: intent(
    'The report is answered',
    'POST /api/operate/reports/:reportId/dismiss',
    (id, { reason }) => ({ params: { reportId: id }, body: { reason } }),
  ),
  uphold: intent(
    'The decision is taken back',
    'POST /api/operate/objections/:decisionId/answer',
    (id, { reason }) => ({
      params: { decisionId: id },
      body: { reason, upheld: true },
    }),
  ),
  refuse: intent(
    'The objection is answered',
    'POST /api/operate/objections/:decisionId/answer',
    (id, { reason }) => ({
      params: { decisionId: id },
      body: { reason, upheld: false },
    }),
  ),
  'open-order': intent(
    'Here is the order. The log says that you opened it',
    'POST /api/operate/orders/:orderId/open',
    (id, { reason }) => ({ params: { orderId: id }, body: { reason } }),
  ),
  'accept-application': intent(
    'Accepted. They get your words',
    'POST /api/operate/applications/:id/answer',
    (id, { reason }) => ({ params: { id }, body: { accepted: true, reason } }),
  ),
  'refuse-application': intent(
    'Refused. They get your words',
    'POST /api/operate/applications/:id/answer',
    (id, { reason }) => ({ params: { id }, body: { accepted: false, reason } }),
  ),
  invite: intent(
    'Here is the link. It is shown this once',
    'POST /api/operate/invitations',
    (_, { note, uses, days }) => ({ body: { note, uses: Number(uses), days: Number(days) } }),
  ),
  'revoke-invitation': intent(
    'The link is taken back',
    'POST /api/operate/invitations/:id/revoke',
    (id, { reason }) => ({ params: { id }, body: { reason } }),
  ),
  'change-settings': intent(
    'Saved',
    'PUT /api/operate/settings',
    (_, { who_may_sell, seller_details_required, product_safety_required, version, reason }) => ({
      ...(version === '' ? {} : { headers: { 'expected-version': version } }),
      body: {
        who_may_sell: who_may_sell as WhoMaySell,
        seller_details_required: seller_details_required === 'on',
        product_safety_required: product_safety_required === 'on',
        reason,
      },
    }),
  ),
  'test-letter': intent('A letter is on its way to you', 'POST /api/operate/setup/letter'),
  'end-setup': intent(
    'The setup has ended. Welcome to your shop',
    'POST /api/operate/setup/end',
    (_, { reason }) => ({ body: { reason } }),
  ),
  'add-operator': intent(
    'They are an operator now',
    'POST /api/operate/operators',
    (_, { email, reason }) => ({ body: { email, reason } }),
  ),
  'remove-operator': intent(
    'They are no longer an operator',
    'POST /api/operate/operators/:userId/remove',
    (id, { reason }) => ({ params: { userId: id }, body: { reason } }),
  ),
}

/** Messages of forms that are sent without scripts. */
export const DONE: Record<string, { done: string }> = Object.fromEntries(
  Object.entries(intents).map(([name, { done }]) => [name, { done }]),
)

/** What is typed into a form. */
export const operateTextsIn = (form: FormData): OperateTexts =>
  Object.fromEntries(FIELDS.map(name => [name, String(form.get(name) ?? '')])) as OperateTexts

/** Messages by field of a form that would be refused. Undefined without any. */
export const validateIntent = (intent: string, form: FormData): FieldErrors | undefined =>
  Object.hasOwn(intents, intent) ? intents[intent]?.check(operateTextsIn(form)) : undefined
