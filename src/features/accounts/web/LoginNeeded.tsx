import { useState } from 'react'
import { useActionData } from 'react-router'
import { useSession } from './session.ts'
import { useLoginDialog } from './useLoginDialog.tsx'

/** Link to the login beside a form whose session has ended. The form keeps its values. */
export function LoginNeeded() {
  const { login } = useLoginDialog()
  const session = useSession()
  const result = useActionData()
  // The session that the refused form was sent with. A later one is loaded after a login.
  const [refused, setRefused] = useState({ session, result })
  if (refused.result !== result) setRefused({ session, result })
  if (session.user && refused.result === result && refused.session !== session)
    return <p role="status">You are logged in again: send the form once more.</p>
  return (
    <p>
      <a
        className="button quiet"
        href="/login"
        target="_blank"
        rel="noreferrer"
        onClick={event => {
          event.preventDefault()
          login()
        }}
      >
        Log In
      </a>
    </p>
  )
}
