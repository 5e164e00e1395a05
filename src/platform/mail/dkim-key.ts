import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Config } from '../config/config.ts'

/** The key that signs letters. */
interface DkimKey {
  /** PEM. */
  privateKey: string
  publicKey: KeyObject
}

/**
 * Reads the DKIM key of the settings.
 * @throws Error if it cannot be read, or is no RSA key: such letters would go out unsigned
 */
export async function readDkimKey({ keyFile }: NonNullable<Config['mail']['dkim']>): Promise<DkimKey> {
  const privateKey = await readFile(keyFile, 'utf8').catch(({ message }) => {
    throw new Error(`DKIM_KEY_FILE cannot be read: ${message}`)
  })
  try {
    const key = createPrivateKey(privateKey)
    if (key.asymmetricKeyType === 'rsa') return { privateKey, publicKey: createPublicKey(key) }
  } catch {
    // Not a key at all.
  }
  throw new Error('DKIM_KEY_FILE must have an RSA private key without a password, as PEM')
}
