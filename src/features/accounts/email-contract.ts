import * as z from 'zod/mini'
import { Done, defineCalls } from '#contract'
import { PROOF_REQUIRED } from './passkeys-contract.ts'
import { Email, HASH_COST } from './user.ts'

/** The e-mail address of a user. */
export const EmailState = z.object({
  email: z.string(),
  /** Whether it is known that the user reads it. */
  confirmed: z.boolean(),
  /** The new address that waits for its confirmation. Null without one. */
  new_email: z.nullable(z.string()),
})
export type EmailState = z.infer<typeof EmailState>

export const EmailChange = z.object({
  email: Email,
  current_password: z.string(PROOF_REQUIRED).check(z.minLength(1, PROOF_REQUIRED)),
})

/** What a link in a letter has done. */
export const Confirmation = z.object({
  email: z.string(),
  /** 'already': this link, or another one to the same address, was used before. */
  outcome: z.enum(['confirmed', 'changed', 'already']),
})
export type Confirmation = z.infer<typeof Confirmation>

/** Refusals. */
export const EMAIL_TAKEN = 'Email is already in use'
export const SAME_EMAIL = 'This is your e-mail address already'
export const LINK_GONE = 'This link is not valid any more: it has expired, or a newer letter has replaced it'
export const TAKEN_MEANWHILE =
  'Somebody has opened an account with this e-mail address meanwhile. Yours keeps the one it has'

export const emailCalls = defineCalls({
  'GET /api/auth/email': {
    summary: 'One’s e-mail address, whether it is confirmed, and the one that it changes to',
    response: EmailState,
  },
  'POST /api/auth/email': {
    summary: 'Ask for another e-mail address: it is valid when it is confirmed by the link in a letter there',
    cost: HASH_COST,
    body: EmailChange,
    response: Done,
  },
  'DELETE /api/auth/email/change': {
    summary: 'Keep one’s e-mail address: the link in the letter to the other one is not valid any more',
    response: Done,
  },
  'POST /api/auth/confirmations': {
    summary: 'Send another letter with a link that confirms one’s e-mail address',
    response: Done,
  },
  // Not below /api/auth/email: the letter may be opened in a browser without a session.
  'POST /api/auth/confirm-email': {
    summary: 'Confirm an e-mail address with the token of a letter; no login is needed',
    body: z.object({ token: z.string(LINK_GONE).check(z.regex(/^[\w-]{43}$/, LINK_GONE)) }),
    response: Confirmation,
  },
})
