import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { useUser } from '#accounts/web/session.ts'

/** Message for a form that was sent after the operator session had ended. The form keeps the typed texts. */
export function StillOpen() {
  return useUser() ? (
    <p>
      <a href="/operate/confirm" target="_blank" rel="noreferrer">
        Confirm that it is you
      </a>
      , in another window. Then send the form again.
    </p>
  ) : (
    <LoginNeeded />
  )
}
