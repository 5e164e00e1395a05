import { defaultBrand } from '#brand'
import type { Id } from '#contract'
import type { Letter } from '#letter'
import type { Database } from '#platform/database/database.ts'
import type { LetterKinds } from '#platform/mail/delivery.ts'
import { createLink, issueToken } from './email-links.ts'
import { recipientOf } from './recipient.ts'

/** Lifetime of a link that confirms the address of an account, days. */
const CONFIRM_DAYS = 7
/** Lifetime of a link that changes it, hours. */
const CHANGE_HOURS = 24

const linkTo = (token: string) => `/confirm-email?token=${token}`
/** Why the user should confirm the address. */
const WHY_CONFIRM =
  'If you forget your password, a letter to this address lets you choose a new one, and letters about your sales go there too.'

/** How a letter asks for the confirmation. */
export const confirmParts = (token: string): Letter['parts'] => [
  { text: `Please confirm that you read the letters to this address. ${WHY_CONFIRM}` },
  { link: 'Confirm your address', path: linkTo(token) },
  { text: `The link is valid for ${CONFIRM_DAYS} days.` },
]

/** A token that confirms this address of a user. @returns undefined if it is confirmed */
export async function issueConfirmation(
  db: Database,
  userId: Id,
  email: string,
): Promise<string | undefined> {
  const user = await db
    .selectFrom('users')
    .select(eb => [
      'email_confirmed_at',
      eb
        .selectFrom('email_links as link')
        .select('link.id')
        .whereRef('link.user_id', '=', 'users.id')
        .where('purpose', '=', 'confirm')
        .where('used_at', 'is', null)
        .where('link.email', '=', email)
        .orderBy('link.id', 'desc')
        .limit(1)
        .as('link'),
    ])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  if (!user || user.email_confirmed_at) return undefined
  const link = user.link ?? (await createLink(db, { userId, purpose: 'confirm', email }))
  return (await issueToken(db, link, CONFIRM_DAYS * 24 * 60))?.token
}

const confirm = (name: string, token: string): Letter => ({
  subject: 'Please confirm your e-mail address',
  name,
  parts: [...confirmParts(token), { text: 'If you did not ask for this letter, you need not do anything.' }],
  why: 'somebody asked for it in the settings of an account with your e-mail address',
})

const change = (name: string, token: string, shop: string): Letter => ({
  subject: 'Please confirm your new e-mail address',
  name,
  parts: [
    { text: `Your account at ${shop} is to have this e-mail address. It changes when you confirm it:` },
    { link: 'Confirm your new address', path: linkTo(token) },
    {
      text: `The link is valid for ${CHANGE_HOURS} hours. If you did not ask for this, somebody has mistyped their address: please do not confirm it. You need not do anything.`,
    },
  ],
  why: 'somebody wants to use your e-mail address for their account',
})

const notice = (name: string, newEmail: string): Letter => ({
  subject: 'Your e-mail address is to be changed',
  name,
  parts: [
    { text: 'Somebody who is logged in and knows your password asked for another e-mail address:' },
    // A quotation: it may have any characters.
    { quote: newEmail },
    {
      text: `It changes when the link in our letter there is opened, within ${CHANGE_HOURS} hours. If it was you, you need not do anything here.`,
    },
    { text: 'If it was not you, change your password at once. That also ends the change of your address.' },
    { link: 'Change your password', path: '/settings/security' },
  ],
  why: 'it is the e-mail address of your account',
})

const changed = (name: string, newEmail: string): Letter => ({
  subject: 'Your e-mail address is changed',
  name,
  parts: [
    { text: 'From now on you log in with your new address, and our letters go there:' },
    // A quotation: it may have any characters.
    { quote: newEmail },
    {
      text: 'If it was not you, log in with the new address and your password at once. Change the password, log out everywhere, and remove passkeys that you do not know.',
    },
    { link: 'Look at your account', path: '/settings/security' },
  ],
  why: 'it was the e-mail address of your account until now',
})

/** A change of an address, with the former one. Undefined if it was cancelled or replaced. */
const changeOf = (db: Database, id: Id) =>
  db
    .selectFrom('email_links')
    .select(['email', 'former_email', 'used_at'])
    .where('id', '=', id)
    .where('former_email', 'is not', null)
    .$narrowType<{ former_email: string }>()
    .executeTakeFirst()

/** A kind of letter to the address of the link that is its subject. */
const withLink = (
  minutes: number,
  letterOf: (name: string, token: string, shop: string) => Letter,
): LetterKinds[string] => ({
  async write(db, { subject, recipient }, shop) {
    const issued = await issueToken(db, subject, minutes)
    const person = issued && (await recipientOf(db, recipient, issued.email))
    return person && { to: person.to, letter: letterOf(person.name, issued.token, shop) }
  },
  sample: letterOf('Ana', 'Wm9ybi1hbi1lbXB0eS1zYW1wbGUtdG9rZW4tMDAwMDA', defaultBrand.name),
  urgent: true,
})

/** A kind of letter to the former address, before or after the change. Its subject is the link of the change. */
const toFormer = (
  when: 'before' | 'after',
  letterOf: (name: string, newEmail: string) => Letter,
): LetterKinds[string] => ({
  async write(db, { subject, recipient }) {
    const found = await changeOf(db, subject)
    // The other letter says that it has changed meanwhile.
    if (when === 'before' && found?.used_at) return undefined
    const person = found && (await recipientOf(db, recipient, found.former_email))
    return person && { to: person.to, letter: letterOf(person.name, found.email) }
  },
  sample: letterOf('Ana', 'ana@example.net'),
  urgent: true,
})

/** Letters that prove an e-mail address, and those about its change. The subject of each is a link. */
export const emailLetters: LetterKinds = {
  confirm: withLink(CONFIRM_DAYS * 24 * 60, confirm),
  'email-change': withLink(CHANGE_HOURS * 60, change),
  'email-change-notice': toFormer('before', notice),
  'email-changed': toFormer('after', changed),
}
