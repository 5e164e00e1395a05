import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Assertion, CreationOptions, Registration, RequestOptions } from '#accounts/passkeys-contract.ts'
import type { Person, TestResponse } from './person.ts'

/** Where a shop without PUBLIC_URL offers passkeys. */
export const LOCAL = { host: 'localhost:3000' }
const ORIGIN = 'http://localhost:3000'

interface Key {
  id: string
  privateKey: KeyObject
  handle: string
  counter: number
}

/** What an authenticator does otherwise than it should. */
interface Otherwise {
  origin?: string
  challenge?: string
  type?: string
  rpId?: string
  /** Whether the user was verified; default: yes. */
  verified?: boolean
  /** Default: one more than before. */
  counter?: number
  /** The credential that signs; default: the newest. */
  key?: Key
  /** The user handle of another user. */
  handle?: string
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
/** CBOR: a head and its argument, for values of less than 65,536. */
const head = (major: number, value: number): Buffer =>
  value < 24
    ? Buffer.from([(major << 5) | value])
    : value < 256
      ? Buffer.from([(major << 5) | 24, value])
      : Buffer.from([(major << 5) | 25, value >> 8, value & 255])
const byteString = (bytes: Buffer) => Buffer.concat([head(2, bytes.length), bytes])
const textString = (text: string) => Buffer.concat([head(3, text.length), Buffer.from(text)])

/** An authenticator in software, with what a browser adds: makes passkeys (ES256) and signs with them. */
export class Authenticator {
  readonly keys: Key[] = []

  /** As `navigator.credentials.create()`. */
  create(options: CreationOptions, otherwise: Otherwise = {}): Registration {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const id = randomBytes(16)
    const key = { id: id.toString('base64url'), privateKey, handle: options.user.id, counter: 0 }
    this.keys.push(key)
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const cose = Buffer.concat([
      Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]),
      byteString(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      byteString(Buffer.from(y, 'base64url')),
    ])
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
    const authData = Buffer.concat([this.#data(options.rp.id, 0x40, 0, otherwise), credential])
    const attestation = Buffer.concat([
      head(5, 3),
      ...[textString('fmt'), textString('none'), textString('attStmt'), head(5, 0)],
      ...[textString('authData'), byteString(authData)],
    ])
    return {
      id: key.id,
      rawId: key.id,
      type: 'public-key',
      response: {
        clientDataJSON: this.#client('webauthn.create', options.challenge, otherwise),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** As `navigator.credentials.get()`. */
  sign(options: RequestOptions, otherwise: Otherwise = {}): Assertion {
    const key = otherwise.key ?? this.keys.at(-1)
    if (!key) throw new Error('There is no passkey')
    key.counter = otherwise.counter ?? key.counter + 1
    const data = this.#data(options.rpId, 0, key.counter, otherwise)
    const client = this.#client('webauthn.get', options.challenge, otherwise)
    const signed = Buffer.concat([
      data,
      createHash('sha256').update(Buffer.from(client, 'base64url')).digest(),
    ])
    return {
      id: key.id,
      rawId: key.id,
      type: 'public-key',
      response: {
        clientDataJSON: client,
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, key.privateKey).toString('base64url'),
        userHandle: otherwise.handle ?? key.handle,
      },
    }
  }

  /** Hash of the relying party, flags (present, verified, stored by a password manager), counter. */
  #data(id: string, more: number, counter: number, { rpId = id, verified = true }: Otherwise): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([0x19 | (verified ? 4 : 0) | more]), count])
  }

  #client(
    usual: string,
    asked: string,
    { type = usual, challenge = asked, origin = ORIGIN }: Otherwise,
  ): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
  }
}

type Headers = Record<string, string>

/** Adds a passkey to a user’s account, confirmed by the password. Returns the first refusal, if there is one. */
export async function addPasskey(
  person: Person,
  authenticator = new Authenticator(),
  name: string | undefined = 'Laptop',
  headers: Headers = {},
): Promise<TestResponse> {
  const sent = { ...headers, ...LOCAL }
  const proof = { current_password: person.password }
  const asked = await person.post('/api/auth/passkeys/challenge', proof, sent)
  if (asked.status !== 200) return asked
  const body = { ...(name === undefined ? {} : { name }), credential: authenticator.create(asked.body) }
  return person.post('/api/auth/passkeys', body, sent)
}

/** Logs a visitor in with a passkey. */
export async function logInWith(
  authenticator: Authenticator,
  visitor: Person,
  otherwise: Otherwise = {},
  headers: Headers = {},
): Promise<TestResponse> {
  const sent = { ...headers, ...LOCAL }
  const asked = await visitor.post('/api/auth/login/passkey/challenge', undefined, sent)
  if (asked.status !== 200) return asked
  const credential = authenticator.sign(asked.body, otherwise)
  return visitor.post('/api/auth/login/passkey', { credential }, sent)
}
