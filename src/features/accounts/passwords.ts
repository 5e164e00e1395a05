import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const argon2id = promisify(argon2)
/** OWASP's Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** 'argon2id$salt$tag', both base64url. */
export async function hashPassword(password: string, nonce = randomBytes(16)): Promise<string> {
  const tag = await argon2id('argon2id', { message: password, nonce, ...cost })
  return `argon2id$${nonce.toString('base64url')}$${tag.toString('base64url')}`
}

/** Whether the password matches the hash. Without a hash it does not, after the same time. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const known = stored ?? (await decoy)
  const salt = Buffer.from(known.split('$')[1] ?? '', 'base64url')
  const given = await hashPassword(password, salt)
  return timingSafeEqual(digest(given), digest(known)) && stored !== undefined
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Verified when no account exists. */
const decoy = hashPassword(randomBytes(12).toString('base64url'))
