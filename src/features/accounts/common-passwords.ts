import { once } from '#platform/async/once.ts'
import type { Config } from '#platform/config/config.ts'
import { Problem } from '#problem'
import { COMMON_PASSWORD } from './contract.ts'

/**
 * Some 49,000 passwords that people choose most, in small letters, as zxcvbn has collected them from passwords that
 * were stolen and published. Read only where they are refused: nobody else has to keep them in memory.
 */
const known = once(
  async () =>
    new Set((await import('@zxcvbn-ts/language-common')).dictionary['passwords-common'] as string[]),
)

/**
 * Refuses a new password that is one of the commonest, in whatever case, where the settings want that.
 * @param field which holds it in the body of the call
 * @throws Problem 400
 */
export async function refuseCommon(
  { commonPasswords }: Config,
  field: 'password' | 'new_password',
  password: string,
): Promise<void> {
  if (commonPasswords) return
  if ((await known()).has(password.toLowerCase()))
    throw new Problem(400, COMMON_PASSWORD, { fields: { [field]: COMMON_PASSWORD } })
}
