import { recipientOf } from '#accounts/recipient.ts'
import { defaultBrand } from '#brand'
import type { Letter } from '#letter'
import type { LetterKinds } from '#platform/mail/delivery.ts'
import { addLink } from './exports.ts'

const dataReady = (name: string, secret: string, shop: string): Letter => ({
  subject: 'Your data is ready',
  name,
  parts: [
    { text: `You asked for everything that ${shop} stores about you. It is one zip file now.` },
    { link: 'Go to your data', path: `/settings/account?archive=${secret}` },
    {
      text: 'The file is deleted 24 hours after it was made. You have to be logged in to download it: this letter alone opens nothing.',
    },
    {
      text: 'If you did not ask for it, somebody else is logged in to your account. Please change your password, and log out everywhere.',
    },
  ],
  why: 'you asked for your data',
})

/** Letters about the own data. The subject of each is the request. */
export const dataLetters: LetterKinds = {
  data_ready: {
    async write(db, { subject, recipient }, shop) {
      const person = await recipientOf(db, recipient)
      const secret = person && (await addLink(db, subject, recipient))
      return person && secret ? { to: person.to, letter: dataReady(person.name, secret, shop) } : undefined
    },
    sample: dataReady('Ana', 'kQ3vZ8mB1xYtR6wN0pLsD4hJ7cFgE2uAiVoKqMzXbTy', defaultBrand.name),
  },
}
