import { defaultBrand } from '#brand'
import type { Letter } from '#letter'
import type { LetterKinds } from '#platform/mail/delivery.ts'
import { confirmParts, issueConfirmation } from './email-letters.ts'
import { issueToken } from './email-links.ts'
import { RESET_MINUTES } from './password-reset.ts'
import { recipientOf } from './recipient.ts'

/** @param token confirms the address; undefined if it is confirmed */
const welcome = (name: string, token: string | undefined, shop: string): Letter => ({
  subject: `Welcome to ${shop}`,
  name,
  parts: [
    {
      text: 'Your account is open. You can buy from all makers. “Sell here” at the foot of each page says how to sell what you make yourself.',
    },
    ...(token === undefined ? [{ link: 'Look around', path: '/' }] : confirmParts(token)),
    {
      text: `If you did not sign up, somebody has mistyped their address${token === undefined ? '' : ': please do not confirm it'}. You need not do anything.`,
    },
  ],
  why: 'an account was opened with your e-mail address',
})

const reset = (name: string, token: string, shop: string): Letter => ({
  subject: 'Set a new password',
  name,
  parts: [
    {
      text: `Somebody, perhaps you, has said at ${shop} that they have forgotten the password of your account. With this link you set a new one. It works once, for ${RESET_MINUTES} minutes.`,
    },
    { link: 'Set a new password', path: `/reset-password?token=${token}` },
    {
      text: 'If it was not you, you need not do anything: your password stays as it is. Pass this link on to nobody.',
    },
  ],
  why: 'somebody has asked for a new password of your account',
})

/** Letters about accounts. The subject of the first is the user, of the second its link. */
export const accountLetters: LetterKinds = {
  welcome: {
    async write(db, { recipient }, shop) {
      const person = await recipientOf(db, recipient)
      if (!person) return undefined
      const token = await issueConfirmation(db, recipient, person.to.address)
      return { to: person.to, letter: welcome(person.name, token, shop) }
    },
    sample: welcome('Ana', 'Wm9ybi1hbi1lbXB0eS1zYW1wbGUtdG9rZW4tMDAwMDA', defaultBrand.name),
  },
  reset: {
    async write(db, { subject, recipient }, shop) {
      const person = await recipientOf(db, recipient)
      if (!person) return undefined
      const issued = await issueToken(db, subject, RESET_MINUTES)
      // The link of an address that the account has no more would open nothing.
      if (issued?.email !== person.to.address) return undefined
      return { to: person.to, letter: reset(person.name, issued.token, shop) }
    },
    sample: reset('Ana', 'x'.repeat(43), defaultBrand.name),
    urgent: true,
  },
}
