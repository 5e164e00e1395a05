import { memoize } from '#platform/async/memoize.ts'
import type { Config } from '#platform/config/config.ts'
import { Problem } from '#problem'
import { COMMON_PASSWORD } from './contract.ts'

/**
 * About 49,000 common passwords in lower case, from zxcvbn's list of leaked ones. Loaded only if the setting refuses
 * them.
 */
const known = memoize(
  async () =>
    new Set((await import('@zxcvbn-ts/language-common')).dictionary['passwords-common'] as string[]),
)

/**
 * Refuses a common password, ignoring case, if the setting says so.
 * @throws Problem 400 of the field `password`
 */
export async function refuseCommon({ commonPasswords }: Config, password: string): Promise<void> {
  if (commonPasswords) return
  if ((await known()).has(password.toLowerCase()))
    throw new Problem(400, COMMON_PASSWORD, { fields: { password: COMMON_PASSWORD } })
}
