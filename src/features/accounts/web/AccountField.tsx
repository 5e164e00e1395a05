import { useState } from 'react'
import { useUser } from './session.ts'

/**
 * Hidden field with the account that has opened the form. It stays if somebody else logs in meanwhile: what was typed must
 * not become theirs. `requireSameAccount` checks it.
 * @param typed its value in a refused form
 */
export function AccountField({ typed }: { typed: string | undefined }) {
  const user = useUser()
  const [id] = useState(typed ?? user?.id ?? '')
  return <input type="hidden" name="account" value={id} />
}
