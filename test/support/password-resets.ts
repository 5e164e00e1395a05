import { expect } from 'vitest'
import { RESET_ASKED } from '#accounts/contract.ts'
import { createLink, issueToken, type LinkPurpose } from '#accounts/email-links.ts'
import { soon } from './expect.ts'
import type { MailServer } from './mail-server.ts'
import type { Person, Shop, TestResponse } from './person.ts'
import type { TestShop } from './shop.ts'

/** Requests a link for a new password. */
export const ask = (shop: Shop, email: string): Promise<TestResponse> =>
  shop.visitor().post('/api/auth/forgotten-password', { email })
/** Opens the page of a link. */
export const check = (shop: Shop, token: string): Promise<TestResponse> =>
  shop.visitor().post('/api/auth/reset-password/check', { token })
/** Sets a new password with the token of a link. */
export const reset = (person: Person, token: string, new_password = 'secret-2'): Promise<TestResponse> =>
  person.post('/api/auth/reset-password', { token, new_password })
/** The status of a login in a new browser. */
export const logIn = async (shop: Shop, { user }: Person, password: string): Promise<number> =>
  (await shop.visitor().post('/api/auth/login', { email: user.email, password })).status

/** The letters with a link that have arrived at an address. */
export const lettersTo = (mail: MailServer, email: string): MailServer['letters'] =>
  mail.letters.filter(
    ({ subject, recipients }) => subject === 'Set a new password' && recipients[0] === email,
  )
/** The token in the newest letter at an address, or ''. */
export const lastTokenTo = (mail: MailServer, email: string): string =>
  /\/reset-password\?token=([\w-]{43})\b/.exec(lettersTo(mail, email).at(-1)?.text ?? '')?.[1] ?? ''

/** Requests a link. @returns the token in the letter that arrives */
export async function tokenByLetter(shop: Shop, mail: MailServer, { user }: Person): Promise<string> {
  const before = lettersTo(mail, user.email).length
  expect(await ask(shop, user.email)).toMatchObject({ status: 200, body: { message: RESET_ASKED } })
  await expect.poll(() => lettersTo(mail, user.email).length, soon).toBe(before + 1)
  return lastTokenTo(mail, user.email)
}

/** A token as in a letter, without the wait. */
export async function tokenOf(
  shop: TestShop,
  { user }: Person,
  { purpose = 'reset' as LinkPurpose, minutes = 60 } = {},
): Promise<string> {
  const id = await createLink(shop.db, { userId: user.id, purpose, email: user.email })
  return (await issueToken(shop.db, id, minutes))?.token ?? ''
}

/** The links of a user, as stored, without that of the welcome letter, which is written at any time. */
export const linksOf = (shop: TestShop, { user }: Person): ReturnType<TestShop['rows']> =>
  shop.rows(`select * from email_links where user_id = ${user.id} and purpose <> 'confirm'`)
