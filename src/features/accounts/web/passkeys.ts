import { Problem } from '#problem'
import { type Ask, askOverFetch } from '#ui/api-client.ts'
import type { Assertion, CreationOptions, Registration, RequestOptions } from '../passkeys-contract.ts'

// The browser's own functions, without a library.

const UNSUPPORTED = 'This browser cannot use passkeys. A newer one can'
const CANCELLED = 'No passkey was used. Nothing has changed: you can try again'
const NOT_HERE = 'Passkeys do not work at this address of the shop'

/** The request that waits for the browser. There can be only one, so the next one ends it. */
let waiting: AbortController | undefined

/** Ends the request that waits for the browser, if there is one. */
export const stopWaiting = (): void => waiting?.abort()

function begin(): AbortSignal {
  stopWaiting()
  waiting = new AbortController()
  return waiting.signal
}

/** Requests a passkey from the user. @throws Problem if there is none, or the user cancels */
export async function signWith(
  options: RequestOptions,
  more: CredentialRequestOptions = {},
): Promise<Assertion> {
  return asked(async signal => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
    return navigator.credentials.get({ ...more, publicKey, signal })
  })
}

/** Makes a new passkey. @throws Problem if the device has one already, or the user cancels */
export async function createPasskey(options: CreationOptions): Promise<Registration> {
  return asked(async signal => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
    return navigator.credentials.create({ publicKey, signal })
  })
}

async function asked<T>(ask: (signal: AbortSignal) => Promise<Credential | null>): Promise<T> {
  try {
    const credential = (await ask(begin())) as PublicKeyCredential | null
    if (!credential) throw new Problem(400, CANCELLED)
    return credential.toJSON() as T
  } catch (error) {
    throw error instanceof Problem ? error : new Problem(400, reasonOf(error), { cause: error })
  }
}

/** The message for an error of the browser. */
function reasonOf(error: unknown): string {
  const { name } = error as { name?: string }
  if (name === 'InvalidStateError') return 'This device has a passkey for your account already'
  if (name === 'SecurityError') return NOT_HERE
  // Functions that an older browser lacks.
  if (name === 'TypeError' || name === 'ReferenceError' || name === 'NotSupportedError') return UNSUPPORTED
  return CANCELLED
}

/**
 * Offers the passkeys of this shop in the browser's suggestions for the e-mail field. Waits until the user chooses one.
 * @returns undefined if the browser has no such suggestions, or the request was ended
 */
export async function signFromSuggestions(): Promise<Assertion | undefined> {
  try {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return undefined
    const options = await askOverFetch('POST /api/auth/login/passkey/challenge')
    return await signWith(options, { mediation: 'conditional' })
  } catch {
    // The user did not ask for it: no message.
    return undefined
  }
}

/** Logs in with the assertion of a passkey, as JSON; empty: requests one. */
export async function logInWithPasskey(ask: Ask, assertion: string): Promise<unknown> {
  const credential: Assertion = assertion
    ? JSON.parse(assertion)
    : await signWith(await ask('POST /api/auth/login/passkey/challenge'))
  return ask('POST /api/auth/login/passkey', { body: { credential } })
}
