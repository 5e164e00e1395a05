import { recipientOf } from '#accounts/recipient.ts'
import { defaultBrand } from '#brand'
import type { Letter } from '#letter'
import type { LetterKinds } from '#platform/mail/delivery.ts'
import { TEST_LETTER } from './setup.ts'

const tried = (name: string, shop: string): Letter => ({
  subject: `A letter to try the mail of ${shop}`,
  name,
  parts: [
    { text: 'If you read this, letters arrive. Look whether it is in the spam folder.' },
    { link: 'Back to the setup', path: '/operate/setup' },
  ],
  why: 'you tried its mail server',
})

/** The letter that tries the mail server. Its subject is only a number. */
export const setupLetters: LetterKinds = {
  [TEST_LETTER]: {
    async write(db, { recipient }, shop) {
      const person = await recipientOf(db, recipient)
      return person && { to: person.to, letter: tried(person.name, shop) }
    },
    sample: tried('Otto', defaultBrand.name),
  },
}
