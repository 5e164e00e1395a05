import type { Letter, LetterPart } from '#letter'
import type { LetterKind, LetterKinds } from '#platform/mail/delivery.ts'
import { countPasskeys } from './login-methods.ts'
import { recipientOf } from './recipient.ts'
import { findEvent, type SecurityEvent, type SecurityKind } from './security-events.ts'

const moments = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** When, and from what kind of device. No network address: to most people it says nothing. */
const facts = ({ device, created_at }: SecurityEvent): LetterPart => ({
  rows: [
    ['When', `${moments.format(created_at)} UTC`],
    ['From', device],
  ],
})
const toSecurity: LetterPart = { link: 'Look at the security of your account', path: '/settings/security' }

const passkeyOf = ({ passkey }: SecurityEvent) => (passkey ? `The passkey “${passkey}”` : 'A passkey')

/** Writes a letter about an event. @param passkeys how many the account has now */
type Write = (name: string, event: SecurityEvent, passkeys: number) => Letter

const passwordChanged: Write = (name, event, passkeys) => ({
  subject: 'Your password was changed',
  name,
  parts: [
    { text: 'The password of your account was changed, and every other device was logged out.' },
    facts(event),
    { text: 'If it was you, you need not do anything. If not, set a new password at once.' },
    { link: 'Set a new password', path: '/forgot-password' },
    ...(passkeys > 0
      ? [{ text: 'Passkeys still log in. Look whether you know all that the account has.' }, toSecurity]
      : []),
  ],
  why: 'the password of your account was changed',
})

const newDevice: Write = (name, event) => ({
  subject: 'A new device has logged in to your account',
  name,
  parts: [
    { text: 'Somebody has logged in to your account with a browser that it did not know.' },
    facts(event),
    { text: 'If it was you, you need not do anything. If not, log it out there and change your password.' },
    toSecurity,
  ],
  why: 'somebody has logged in to your account',
})

const passkeyAdded: Write = (name, event) => ({
  subject: 'A passkey was added to your account',
  name,
  parts: [
    { text: `${passkeyOf(event)} was added. It is enough to log in.` },
    facts(event),
    { text: 'If it was not you, remove it there and change your password.' },
    toSecurity,
  ],
  why: 'a passkey was added to your account',
})

const passkeyRemoved: Write = (name, event) => ({
  subject: 'A passkey was removed from your account',
  name,
  parts: [
    { text: `${passkeyOf(event)} was removed. It does not log in any more.` },
    facts(event),
    { text: 'If it was not you, change your password there.' },
    toSecurity,
  ],
  why: 'a passkey was removed from your account',
})

const SAMPLE: SecurityEvent = {
  device: 'Firefox on Windows',
  passkey: 'Blue phone',
  created_at: new Date('2026-03-07T14:05:00Z'),
}

const kindOf = (write: Write): LetterKind => ({
  async write(db, { subject, recipient }) {
    const [person, event] = [await recipientOf(db, recipient), await findEvent(db, subject)]
    if (!person || !event) return undefined
    // A stranger may have opened the account with this address, and named the passkey.
    const { passkey } = event
    const shown = { ...event, passkey: person.to.confirmed ? passkey : null }
    return { to: person.to, letter: write(person.name, shown, await countPasskeys(db, recipient)) }
  },
  sample: write('Ana', SAMPLE, 1),
  urgent: true,
})

/** Letters about the security of an account, which cannot be switched off. The subject of each is its event. */
export const securityLetters: LetterKinds = {
  'password-changed': kindOf(passwordChanged),
  'new-device': kindOf(newDevice),
  'passkey-added': kindOf(passkeyAdded),
  'passkey-removed': kindOf(passkeyRemoved),
} satisfies Record<SecurityKind, LetterKind>
