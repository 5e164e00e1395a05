import { useState } from 'react'
import { useLoaderData } from 'react-router'
import type { Id } from '#contract'

/**
 * Hidden field with the account that has opened the form. It stays if somebody else logs in meanwhile: what was typed must
 * not become theirs. `requireSameAccount` checks it. The loader of the page returns it as `account`, with the data of the
 * form: the session of the page may be older, because a navigation does not load it again.
 * @param typed its value in a refused form
 */
export function AccountField({ typed }: { typed: string | undefined }) {
  const page = useLoaderData<{ account?: Id } | null>()
  const [id] = useState(typed ?? page?.account ?? '')
  return <input type="hidden" name="account" value={id} />
}
