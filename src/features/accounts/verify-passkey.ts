import { memoize } from '#platform/async/memoize.ts'
import { Problem } from '#problem'
import type { Assertion, Registration } from './passkeys-contract.ts'
import type { RelyingParty } from './relying-party.ts'

/** Loaded with the first passkey: 27 MB that many shops never need. */
const library = memoize(() => import('@simplewebauthn/server'))

/** Signatures that a new passkey may use, best first: Ed25519, ECDSA with P-256, RSA (COSE). */
export const ALGORITHMS = [-8, -7, -257]

export const REFUSED_PASSKEY = 'The passkey could not be checked. Please try again'

/** What the shop keeps of a passkey. */
export interface Credential {
  credential_id: string
  public_key: Buffer
  counter: number
  transports: string[]
  backed_up: boolean
}

/**
 * Checks a new passkey: challenge, origin, relying party, and that the device has verified its user.
 * @throws Problem 400
 */
export async function verifyRegistration(
  party: RelyingParty,
  response: Registration,
  challenge: string,
): Promise<Credential> {
  const { verifyRegistrationResponse } = await library()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {} } as never,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    supportedAlgorithmIDs: ALGORITHMS,
    requireUserVerification: true,
  }).catch(refuse(400))
  if (!verified) throw new Problem(400, REFUSED_PASSKEY)
  const { credential, credentialBackedUp } = registrationInfo
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: response.response.transports ?? [],
    backed_up: credentialBackedUp,
  }
}

/**
 * Checks a signature of a known passkey, as above. The caller compares the counter, under a lock.
 * @param status of the refusal
 */
export async function verifyAssertion(
  party: RelyingParty,
  response: Assertion,
  challenge: string,
  { credential_id, public_key }: Pick<Credential, 'credential_id' | 'public_key'>,
  status: 400 | 401,
): Promise<Pick<Credential, 'counter' | 'backed_up'>> {
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {} } as never,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter: 0 },
    requireUserVerification: true,
  }).catch(refuse(status))
  if (!verified) throw new Problem(status, REFUSED_PASSKEY)
  return { counter: authenticationInfo.newCounter, backed_up: authenticationInfo.credentialBackedUp }
}

/** The library throws for every wrong response, with details that only a developer needs. */
const refuse = (status: 400 | 401) => (cause: unknown) => {
  throw new Problem(status, REFUSED_PASSKEY, { cause })
}
