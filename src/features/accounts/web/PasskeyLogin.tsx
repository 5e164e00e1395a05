import { useEffect } from 'react'
import { useFetcher } from 'react-router'
import { Problems } from '#ui/fields.tsx'
import { useHydrated } from '#ui/use-hydrated.ts'
import type { LoginResult } from './login.route.ts'
import { canUsePasskeys } from './person.ts'
import './passkeys.css'

/**
 * The button that logs in with a passkey. While it is shown, the browser suggests passkeys in the e-mail field too.
 * @param action of the login form @param stay whether the page stays, and `onDone` is called
 */
export function PasskeyLogin({
  action,
  stay,
  onDone,
}: {
  action: string
  stay: boolean
  onDone: (() => void) | undefined
}) {
  const fetcher = useFetcher<LoginResult>()
  const { submit, data } = fetcher
  const hydrated = useHydrated()
  const busy = fetcher.state !== 'idle'
  useEffect(() => {
    if (data?.done) onDone?.()
  }, [data?.done, onDone])
  useEffect(() => {
    if (!canUsePasskeys() || data?.done) return
    let left = false
    const browser = import('./passkeys.ts')
    const signing = browser.then(({ signFromSuggestions }) => (left ? undefined : signFromSuggestions()))
    // Without the script there are no suggestions; the button shows the error.
    void signing
      .catch(() => undefined)
      .then(signed => {
        if (signed && !left) void submit(formOf(stay, JSON.stringify(signed)), { method: 'post', action })
      })
    return () => {
      left = true
      void browser.then(({ stopWaiting }) => stopWaiting()).catch(() => undefined)
    }
    // After a refusal it starts again, with a new challenge.
  }, [submit, action, stay, data])
  if (hydrated && !canUsePasskeys()) return null
  return (
    <div className="passkey-login" data-ready={hydrated || undefined}>
      <Problems messages={data?.errors?.server ? [data.errors.server] : undefined} />
      <button
        type="button"
        className="button quiet"
        aria-disabled={busy || undefined}
        onClick={() => {
          if (!busy) void submit(formOf(stay, ''), { method: 'post', action })
        }}
      >
        Log in with a passkey
      </button>
      <p className="hint" role="status">
        {busy ? 'Waiting for your passkey …' : undefined}
      </p>
    </div>
  )
}

/** @param passkey an assertion as JSON; empty: requests one from the browser */
const formOf = (stay: boolean, passkey: string) => ({
  intent: 'passkey',
  passkey,
  ...(stay ? { stay: '1' } : {}),
})
