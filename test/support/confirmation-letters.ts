import { expect } from 'vitest'
import { soon } from './expect.ts'
import type { MailServer } from './mail-server.ts'
import { newcomer, type Person, type Shop, type TestResponse } from './person.ts'

/** The refusal of a link that confirms nothing. */
export const GONE = 'This link is not valid any more: it has expired, or a newer letter has replaced it'

/** An unused address. */
export const unusedAddress = (): string => newcomer('new').email

/** Waits for so many letters at an address, and returns them. Letters about logins come beside them, and do not count. */
export async function lettersAt(
  mail: MailServer,
  address: string,
  count = 1,
): Promise<MailServer['letters']> {
  const found = () =>
    mail.letters.filter(
      ({ recipients, subject }) => recipients.includes(address) && !subject?.startsWith('A new device'),
    )
  await expect.poll(() => found().length, soon).toBe(count)
  return found()
}

/** The token of the link that confirms an address, or '' if the letter has none. */
export const tokenIn = (text: string | undefined): string =>
  /^http:\/\/shop\.example\/confirm-email\?token=([\w-]{43})$/m.exec(text ?? '')?.[1] ?? ''

/** The token of the newest letter at an address, of so many. */
export const tokenAt = async (mail: MailServer, address: string, count = 1): Promise<string> =>
  tokenIn((await lettersAt(mail, address, count)).at(-1)?.text)

/** A new user, with the token of their welcome letter. */
export async function signUpByLetter(
  shop: Shop,
  mail: MailServer,
): Promise<{ person: Person; token: string }> {
  const person = shop.visitor()
  const { body } = await person.post('/api/auth/signup', { ...newcomer(), password: person.password })
  person.user = body
  return { person, token: await tokenAt(mail, person.user.email) }
}

/** Uses the token of a confirmation link. */
export const confirm = (person: Person, token: unknown): Promise<TestResponse> =>
  person.post('/api/auth/confirm-email', { token })

/** The response to a used link: [200, 'confirmed']. */
export const outcomeOf = ({ status, body }: TestResponse): [number, string | undefined] => [
  status,
  body.outcome,
]

/** The address of a user, whether it is confirmed, and the new one that waits. */
export const emailOf = async (person: Person): Promise<TestResponse['body']> =>
  (await person.get('/api/auth/email')).body

/** Requests a change of the e-mail address. */
export const askChange = (
  person: Person,
  email: string,
  current_password = person.password,
): Promise<TestResponse> => person.post('/api/auth/email', { email, current_password })
