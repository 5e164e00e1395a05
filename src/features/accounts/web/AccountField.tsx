import { useState } from 'react'
import type { Id } from '#contract'

/**
 * Hidden field with the account whose data the form shows. It stays if somebody else logs in meanwhile: what was typed must
 * not become theirs.
 * @param account its id, undefined after the session has ended
 * @param typed its value in a refused form
 */
export function AccountField({ account, typed }: { account: Id | undefined; typed: string | undefined }) {
  const [id] = useState(typed ?? account ?? '')
  return <input type="hidden" name="account" value={id} />
}
