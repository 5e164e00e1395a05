import { recipientOf } from '#accounts/recipient.ts'
import type { Letter } from '#letter'
import { waitingLetter } from '#operators/notify-operators.ts'
import type { LetterKinds } from '#platform/mail/delivery.ts'

interface Answer {
  accepted: boolean
  reason: string
}

const answer = (name: string, { accepted, reason }: Answer): Letter => ({
  subject: accepted ? 'You may sell here' : 'Your application to sell',
  name,
  parts: [
    {
      text: accepted
        ? 'Those who run the shop have read your application, and say yes. Welcome. They write:'
        : 'Those who run the shop have read your application, and say no this time. They write:',
    },
    { quote: reason },
    accepted
      ? { link: 'Add your first listing', path: '/products/new' }
      : { link: 'See your application', path: '/sell' },
  ],
  why: 'you have applied to sell here',
})

/** Letters about an application to sell, which is their subject: to operators that it waits, and its answer. */
export const onboardingLetters: LetterKinds = {
  'application-waits': waitingLetter({
    subject: 'An application to sell waits for an answer',
    path: '/operate/makers',
    isAnyOpen: async db => {
      const open = db.selectFrom('applications').select('id').where('answered_by', 'is', null)
      return (await open.limit(1).executeTakeFirst()) !== undefined
    },
  }),
  application: {
    async write(db, { subject, recipient }) {
      const [person, found] = await Promise.all([
        recipientOf(db, recipient),
        db
          .selectFrom('applications as a')
          .innerJoin('operator_log as l', 'l.id', 'a.answered_by')
          .select(['a.accepted', 'l.reason'])
          .where('a.id', '=', subject)
          .executeTakeFirst(),
      ])
      const { accepted, reason } = found ?? {}
      if (!person || accepted === undefined || accepted === null || reason === undefined) return undefined
      return { to: person.to, letter: answer(person.name, { accepted, reason }) }
    },
    sample: answer('Mila', { accepted: true, reason: 'Your bowls fit well beside the others.' }),
  },
}
