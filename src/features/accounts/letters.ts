import { brand } from '#brand'
import type { Letter } from '#letter'
import type { LetterKinds } from '#platform/mail/delivery.ts'
import { recipientOf } from './recipient.ts'

const welcome = (name: string): Letter => ({
  subject: `Welcome to ${brand.name}`,
  name,
  parts: [
    { text: `Your account is open. You can buy from all makers, and sell what you make yourself.` },
    { link: 'Look around', path: '/' },
    { text: 'If you did not sign up, somebody has mistyped their address. You need not do anything.' },
  ],
  why: 'an account was opened with your e-mail address',
})

/** Letters about accounts. The subject of each is the user. */
export const accountLetters: LetterKinds = {
  welcome: {
    async write(db, { recipient }) {
      const person = await recipientOf(db, recipient)
      return person && { to: person.to, letter: welcome(person.name) }
    },
    sample: welcome('Ana'),
  },
}
