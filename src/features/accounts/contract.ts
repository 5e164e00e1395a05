import * as z from 'zod/mini'
import { Done, defineCalls, Id, Moment, PathId, text } from '#contract'
import { emailCalls } from './email-contract.ts'
import { passkeyCalls } from './passkeys-contract.ts'
import { Email, emailRule, HASH_COST, User } from './user.ts'

export { HASH_COST, User }

const lengthRule = (label: string, min: number, max: number) => {
  const message = `${label} must be between ${min} and ${max} characters`
  return { required: `${label} is required`, min: [min, message], max: [max, message] } as const
}
const passwordRule = 'Password must be between 6 and 20 characters.'

/** Passwords are not trimmed: spaces count. */
const Password = text('Password', {
  required: 'Password is required',
  min: [6, passwordRule],
  max: [20, passwordRule],
  trim: false,
})

/** Refusal of a common password. */
export const COMMON_PASSWORD = 'Many people use this password. Please choose another one'

/** Control and invisible characters, and the blank of Braille. Half a surrogate pair has its own message. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u
/** Joiners inside scripts and emoji have a visible effect, so they are allowed there. */
const JOINED =
  /([\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\p{Variation_Selector}\u180e\u200c\u200d]{1,2}/gu
const isSeen = (name: string) => !UNSEEN.test(name.replace(JOINED, '$1'))

/** Alphabets with letters that look the same. */
const ALIKE = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
]
const inOneAlphabet = (word: string) => ALIKE.filter(letter => letter.test(word)).length <= 1

const nameOf = (label: string) =>
  text(label, lengthRule(label, 3, 30)).check(
    z.refine(isSeen, `${label} contains characters that cannot be seen. Please type it again`),
  )

/** What others see of a user. */
export const Names = z.object({
  first_name: nameOf('First name'),
  last_name: nameOf('Last name'),
  username: nameOf('Username').check(
    z.refine(
      name => (name.match(/[\p{L}\p{M}]+/gu) ?? []).every(inOneAlphabet),
      'Username mixes the letters of two alphabets in one word',
    ),
  ),
})
export type Names = z.infer<typeof Names>

/** A page that new members agree to. */
export const PageToAgree = z.object({
  /** Id of the published version. */
  version: Id,
  path: z.string(),
  /** As in "I agree to …". */
  name: z.string(),
})
export type PageToAgree = z.infer<typeof PageToAgree>
const VERSIONS = 'Agreed must be a list of at most 20 ids of versions'

export const Signup = z.object({
  email: Email,
  ...Names.shape,
  password: Password,
  /** Versions of the pages that one agrees to; those of `GET /api/auth/signup`. */
  agreed: z.optional(z.array(z.int(VERSIONS), VERSIONS).check(z.maxLength(20, VERSIONS))),
})
export type Signup = z.infer<typeof Signup>

/** Login checks only what no account can have, and does not reveal whether an account exists. */
export const Login = z.object({
  email: text('Email', { required: 'Email is required', max: [254, emailRule] }),
  password: z.string('Password is required').check(z.minLength(1, 'Password is required')),
})
export type Login = z.infer<typeof Login>

/** The same text whether the e-mail is unknown or the password wrong. */
export const WRONG_LOGIN = 'The email or password is not correct'

/** A device that is logged in. */
export const Session = z.object({
  id: Id,
  /** In words: 'Firefox on Windows'. */
  device: z.string(),
  begun_at: Moment,
  /** To the hour. */
  used_at: Moment,
  /** Whether it is the session of this request. */
  current: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const WRONG_PASSWORD = 'The current password is not correct'
export const PasswordChange = z.object({
  current_password: z
    .string('Current password is required')
    .check(z.minLength(1, 'Current password is required')),
  new_password: Password,
})

/** Answer to a request for a new password, whether the address has an account or not. */
export const RESET_ASKED = 'If there is an account with this address, we have sent an email to it'
export const ForgottenPassword = z.object({ email: Email })

/** Refusal of a link from a letter, whatever the reason. */
export const UNUSABLE_LINK = 'This link cannot be used: it has expired, or was used already'
/** The token of a link: 256 bits as base64url. */
const LinkToken = z.string(UNUSABLE_LINK).check(z.regex(/^[\w-]{43}$/, UNUSABLE_LINK))
const ResetLink = z.object({ token: LinkToken })
/** What the page asks for; the token is in its address. */
export const NewPassword = z.object({ new_password: Password })
export const PasswordReset = z.object({ ...ResetLink.shape, ...NewPassword.shape })
/** `passkeys`: they are removed if the address was not confirmed until now, since somebody else may have added them. */
const PasswordWasReset = z.object({ ...Done.shape, passkeys: z.enum(['none', 'stay', 'removed']) })
export type PasswordWasReset = z.infer<typeof PasswordWasReset>

export const calls = defineCalls({
  'GET /api/auth/': { summary: 'Who is signed in', response: User },
  'GET /api/auth/session': {
    summary:
      'Who is signed in, what is in their cart, the listings that they saved, and their unread notifications',
    response: z.object({
      user: User,
      /** Units of all lines. */
      in_cart: z.number(),
      favourites: z.array(Id),
      /** Number of notifications, at most 100. */
      unread: z.number(),
      /** Only for operators: true. */
      operator: z.optional(z.literal(true)),
    }),
  },
  'POST /api/auth/login': {
    summary: 'Log in',
    cost: HASH_COST,
    body: Login,
    response: User,
    errors: 'fields',
  },
  'GET /api/auth/signup': {
    summary: 'The pages that new members agree to; mostly none',
    visibility: 'public',
    response: z.object({ pages: z.array(PageToAgree) }),
  },
  'POST /api/auth/signup': {
    summary: 'Sign up. Where there are pages to agree to, `agreed` has the version of each of them',
    cost: HASH_COST,
    body: Signup,
    response: User,
    status: 201,
    errors: 'fields',
  },
  'GET /api/auth/logout': { summary: 'Log out', changes: true, response: Done },
  'GET /api/auth/sessions': {
    summary: 'Where one is logged in, this device first',
    response: z.object({ sessions: z.array(Session) }),
  },
  'DELETE /api/auth/sessions/:id': {
    summary: 'Log out one device',
    params: z.object({ id: PathId }),
    response: Done,
  },
  'DELETE /api/auth/sessions': { summary: 'Log out everywhere', response: Done },
  'POST /api/auth/password': {
    summary: 'Change one’s password, and log out every other device',
    cost: 2 * HASH_COST,
    body: PasswordChange,
    response: Done,
  },
  'POST /api/auth/forgotten-password': {
    summary: 'Ask for a link to set a new password; the answer is the same without an account',
    body: ForgottenPassword,
    response: Done,
  },
  'POST /api/auth/reset-password/check': {
    summary: 'Whether a link for a new password can be used',
    body: ResetLink,
    response: Done,
  },
  'POST /api/auth/reset-password': {
    summary: 'Set a new password with a link, and log out every device',
    cost: HASH_COST,
    body: PasswordReset,
    response: PasswordWasReset,
  },
  ...emailCalls,
  ...passkeyCalls,
})

/** The demo account, whose password is public. Refused while the setting DEMO is off. */
export const DEMO = { email: 'demo@example.com', password: 'handmade' } as const
