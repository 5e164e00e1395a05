import * as z from 'zod/mini'
import { Done, defineCalls, Id, Moment, PathId, text } from '#contract'
import { HASH_COST, User } from './user.ts'

/** A passkey, as its owner sees it. */
export const Passkey = z.object({
  id: Id,
  name: z.string(),
  added_at: Moment,
  /** null: never. */
  used_at: z.nullable(Moment),
  /** Whether a password manager stores it on several devices. */
  synced: z.boolean(),
})
export type Passkey = z.infer<typeof Passkey>

/** Refusal of an invalid response of a passkey. */
export const BROKEN_PASSKEY = 'The answer of the passkey is not complete. Please try again'

/** Bytes as base64url. */
const bytes = (most: number) =>
  z.string(BROKEN_PASSKEY).check(z.regex(/^[\w-]+$/, BROKEN_PASSKEY), z.maxLength(most, BROKEN_PASSKEY))
const credential = <S extends z.core.$ZodLooseShape>(response: S) =>
  z.object(
    {
      id: bytes(1_400),
      rawId: bytes(1_400),
      type: z.literal('public-key', BROKEN_PASSKEY),
      response: z.object(response, BROKEN_PASSKEY),
    },
    BROKEN_PASSKEY,
  )
const transports = z
  .array(z.string(BROKEN_PASSKEY).check(z.regex(/^[a-z-]{1,20}$/, BROKEN_PASSKEY)), BROKEN_PASSKEY)
  .check(z.maxLength(10, BROKEN_PASSKEY))

/** A new credential: `PublicKeyCredential.toJSON()` after `navigator.credentials.create()`. */
const Registration = credential({
  clientDataJSON: bytes(4_000),
  attestationObject: bytes(16_000),
  transports: z.optional(transports),
})
export type Registration = z.infer<typeof Registration>

/** A signature: `PublicKeyCredential.toJSON()` after `navigator.credentials.get()`. */
const Assertion = credential({
  clientDataJSON: bytes(4_000),
  authenticatorData: bytes(4_000),
  signature: bytes(8_000),
  userHandle: z.optional(z.nullable(bytes(100))),
})
export type Assertion = z.infer<typeof Assertion>

const nameRule = 'Name cannot be more than 60 characters'
const Name = text('Name', { required: 'Name is required', max: [60, nameRule] })
export const PasskeyName = z.object({ name: Name })

export const PROOF_REQUIRED = 'Current password is required'
/** Reauthentication before a change of login methods: the password, or the response of an existing passkey. */
const Proof = z.object({
  current_password: z.optional(z.string(PROOF_REQUIRED)),
  passkey: z.optional(Assertion),
})
export type Proof = z.infer<typeof Proof>
export const ProofOfOwner = Proof.check(
  z.refine(({ current_password, passkey }) => Boolean(current_password || passkey), {
    error: PROOF_REQUIRED,
    path: ['current_password'],
  }),
)

const Descriptor = z.object({
  type: z.literal('public-key'),
  id: z.string(),
  transports: z.array(z.string()),
})
/** As `PublicKeyCredential.parseRequestOptionsFromJSON()` takes it. */
const RequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  /** ms. */
  timeout: z.number(),
  userVerification: z.literal('required'),
  /** Empty: any passkey of this shop. */
  allowCredentials: z.array(Descriptor),
})
export type RequestOptions = z.infer<typeof RequestOptions>
/** As `PublicKeyCredential.parseCreationOptionsFromJSON()` takes it. */
const CreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  /** ms. */
  timeout: z.number(),
  attestation: z.literal('none'),
  /** Passkeys that the user has: a device with one of them makes no second. */
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
})
export type CreationOptions = z.infer<typeof CreationOptions>

export const passkeyCalls = defineCalls({
  // Below the path of the login, so that the device cookie is sent.
  'POST /api/auth/login/passkey/challenge': {
    summary: 'What a passkey has to sign to log in',
    response: RequestOptions,
  },
  'POST /api/auth/login/passkey': {
    summary: 'Log in with a passkey',
    body: z.object({ credential: Assertion }),
    response: User,
  },
  'GET /api/auth/passkeys': {
    summary: 'One’s passkeys, the oldest first',
    response: z.object({ passkeys: z.array(Passkey) }),
  },
  'POST /api/auth/passkeys/confirmation': {
    summary: 'What one’s passkey has to sign to confirm a change, instead of the password',
    response: RequestOptions,
  },
  'POST /api/auth/passkeys/challenge': {
    summary: 'What a new passkey has to sign',
    cost: HASH_COST,
    body: ProofOfOwner,
    response: CreationOptions,
  },
  'POST /api/auth/passkeys': {
    summary: 'Add a passkey; without a name it has that of the device',
    body: z.object({ name: z.optional(Name), credential: Registration }),
    response: Passkey,
    status: 201,
  },
  'PUT /api/auth/passkeys/:id': {
    summary: 'Rename a passkey',
    params: z.object({ id: PathId }),
    body: PasskeyName,
    response: Passkey,
  },
  'POST /api/auth/passkeys/:id/remove': {
    summary: 'Remove a passkey, unless it is the last way to log in',
    cost: HASH_COST,
    params: z.object({ id: PathId }),
    body: ProofOfOwner,
    response: Done,
  },
})
