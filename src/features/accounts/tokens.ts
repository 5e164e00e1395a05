import { createHash, randomBytes } from 'node:crypto'

/** A secret for a cookie or a link: 256 random bits as 43 characters, base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** SHA-256 of a token. Only this is stored, so a dump of the database cannot be used to log in. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
