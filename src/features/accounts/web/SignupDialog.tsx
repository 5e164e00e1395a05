import { useEffect, useState } from 'react'
import { askOverFetch, attempt } from '#ui/api-client.ts'
import type { PageToAgree } from '../contract.ts'
import { SignupForm } from './SignupForm.tsx'

/** The signup form in a dialog, which asks first what new members agree to. */
export function SignupDialog({ onDone, purpose }: { onDone: () => void; purpose: string | undefined }) {
  const [pages, setPages] = useState<PageToAgree[]>()
  useEffect(() => {
    // Without an answer the form is there all the same: a refusal has the pages.
    void attempt(askOverFetch('GET /api/auth/signup')).then(({ response }) => setPages(response?.pages ?? []))
  }, [])
  return pages ? (
    <SignupForm pages={pages} purpose={purpose} onDone={onDone} checks="all" />
  ) : (
    <p>Loading...</p>
  )
}
