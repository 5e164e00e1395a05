import { useLoginDialog } from './useLoginDialog.tsx'

/** Link to the login beside a form whose session has ended. The form keeps its values. */
export function LoginNeeded() {
  const { login } = useLoginDialog()
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
