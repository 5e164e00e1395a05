import { recipientOf } from '#accounts/recipient.ts'
import type { Id } from '#contract'
import type { Letter, LetterPart } from '#letter'
import type { Action } from '#operators/contract.ts'
import { waitingLetter } from '#operators/notify-operators.ts'
import type { Database } from '#platform/database/database.ts'
import type { LetterKinds } from '#platform/mail/delivery.ts'
import { noticeTitle } from './notices-contract.ts'

/** A decision, with what its letter shows. */
interface Decision {
  action: Action
  listing: string | null
  reason: string
  rule: string
}

/** What a decision means for the user concerned. */
const effects: Partial<Record<Action, string>> = {
  'listing-hidden':
    'Nobody can see it. Its address, reviews, photos and stock stay, and orders that were placed go on.',
  'review-hidden': 'Nobody can read it, and its stars do not count.',
  'reply-hidden': 'Nobody can read it. You can delete it, and then write another.',
  'person-suspended':
    'What you sell is hidden, and you cannot add listings or reviews. Orders that were placed go on: please send or refund them.',
  'objection-refused': 'Another look was taken at the decision that you objected to. It stands.',
  'objection-upheld':
    'Another look was taken at the decision that you objected to. It was wrong. What it was about is gone meanwhile.',
}

const decision = (name: string, { action, listing, reason, rule }: Decision): Letter => {
  const subject = noticeTitle({ action, listing })
  const effect = effects[action]
  const parts: LetterPart[] = [
    { text: `${subject}.` },
    ...(effect ? [{ text: effect }] : []),
    { text: 'The reason:' },
    { quote: reason },
    ...(rule ? [{ text: `The rule: ${rule}` }] : []),
    ...(action.endsWith('hidden') || action === 'person-suspended'
      ? [
          {
            text: 'A person has decided this. If you think that it is wrong, you can object: somebody answers you.',
          },
        ]
      : []),
    { link: 'See all notices', path: '/settings/notices' },
  ]
  return { subject, name, parts, why: 'those who run the shop decided something about you' }
}

async function findDecision(db: Database, id: Id): Promise<Decision | undefined> {
  const row = await db
    .selectFrom('operator_log as l')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .select(['l.action', 'l.reason', 'l.rule', 'p.name as listing'])
    .where('l.id', '=', id)
    .executeTakeFirst()
  return row && { ...row, action: row.action as Action }
}

const received = (name: string, id: Id): Letter => ({
  subject: `Report ${id} has arrived`,
  name,
  parts: [
    { text: `Thank you. Those who run the shop read report ${id}, and decide what happens.` },
    { text: 'You get a letter when they have.' },
    { link: 'Go to the shop', path: '/' },
  ],
  why: 'you have reported something',
})

const answered = (name: string, { id, measure }: { id: Id; measure: boolean }): Letter => ({
  subject: `Report ${id} is answered`,
  name,
  parts: [
    {
      text: measure
        ? `Those who run the shop have read report ${id}, and taken a measure. Thank you for telling them.`
        : `Those who run the shop have read report ${id}, and found that no measure is needed. Thank you for telling them.`,
    },
    { link: 'Go to the shop', path: '/' },
  ],
  why: 'you have reported something',
})

/** Whether the answer to a report was a measure. Undefined if the report is gone. */
async function findAnswer(db: Database, id: Id): Promise<{ id: Id; measure: boolean } | undefined> {
  const row = await db
    .selectFrom('reports as r')
    .innerJoin('operator_log as l', 'l.id', 'r.answered_by')
    .select('l.action')
    .where('r.id', '=', id)
    .executeTakeFirst()
  return row && { id, measure: row.action !== 'report-dismissed' }
}

const openReports = (db: Database) => db.selectFrom('reports').select('id').where('answered_by', 'is', null)
const openObjections = (db: Database) =>
  db.selectFrom('objections').select('decision_id').where('answered_by', 'is', null)

/** Letters about decisions and reports. The subject is the entry of the log, or the report. */
export const moderationLetters: LetterKinds = {
  decision: {
    async write(db, { subject, recipient }) {
      const [person, about] = await Promise.all([recipientOf(db, recipient), findDecision(db, subject)])
      return person && about && { to: person.to, letter: decision(person.name, about) }
    },
    sample: decision('Mila', {
      action: 'listing-hidden',
      listing: 'Speckled mug',
      reason: 'The photos are those of another maker, who has written to us.',
      rule: 'Photos show your own work',
    }),
  },
  'report-waits': waitingLetter({
    subject: 'A report waits for an answer',
    path: '/operate/reports',
    isAnyOpen: async db => (await openReports(db).limit(1).executeTakeFirst()) !== undefined,
  }),
  'objection-waits': waitingLetter({
    subject: 'An objection waits for an answer',
    path: '/operate/reports',
    isAnyOpen: async db => (await openObjections(db).limit(1).executeTakeFirst()) !== undefined,
  }),
  'report-received': {
    async write(db, { subject, recipient }) {
      const person = await recipientOf(db, recipient)
      return person && { to: person.to, letter: received(person.name, subject) }
    },
    sample: received('Ben', 4711),
  },
  'report-answered': {
    async write(db, { subject, recipient }) {
      const [person, answer] = await Promise.all([recipientOf(db, recipient), findAnswer(db, subject)])
      return person && answer && { to: person.to, letter: answered(person.name, answer) }
    },
    sample: answered('Ben', { id: 4711, measure: true }),
  },
}
