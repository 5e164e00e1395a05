import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { useUser } from '#accounts/web/session.ts'

/** The form was sent after these pages had closed: what was typed is still in it. */
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
