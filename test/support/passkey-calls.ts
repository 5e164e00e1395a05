import type { Passkey } from '#accounts/passkeys-contract.ts'
import { Authenticator, addPasskey, LOCAL } from './authenticator.ts'
import type { Person, Shop, TestResponse } from './person.ts'

export const LATE = 'This took too long, or was sent twice. Please try again'
export const UNCHECKED = 'The passkey could not be checked. Please try again'
export const UNKNOWN =
  'This passkey is not known here. If you have removed it, log in with another one or your password'

/** A user with a passkey. */
export async function regular(shop: Shop): Promise<{ ana: Person; phone: Authenticator; passkey: Passkey }> {
  const ana = await shop.signUp('ana')
  const phone = new Authenticator()
  const { status, body } = await addPasskey(ana, phone, 'Phone')
  if (status !== 201) throw new Error(`the passkey was refused: ${JSON.stringify(body)}`)
  return { ana, phone, passkey: body }
}

/** The passkeys of a user. */
export const passkeys = async (person: Person): Promise<Passkey[]> =>
  (await person.get('/api/auth/passkeys')).body.passkeys
/** Whether the session of a user is valid. */
export const isIn = async (person: Person): Promise<boolean> =>
  (await person.get('/api/auth/')).status === 200

/** Requests a challenge for a new passkey. The proof is the password or another passkey. */
export const begin = (
  person: Person,
  proof: object = { current_password: person.password },
): Promise<TestResponse> => person.post('/api/auth/passkeys/challenge', proof, LOCAL)
/** The challenge of a passkey that confirms a change. */
export const confirmation = async (person: Person): Promise<TestResponse['body']> =>
  (await person.post('/api/auth/passkeys/confirmation', undefined, LOCAL)).body
/** The challenge of a login. */
export const loginChallenge = async (visitor: Person): Promise<TestResponse['body']> =>
  (await visitor.post('/api/auth/login/passkey/challenge', undefined, LOCAL)).body
