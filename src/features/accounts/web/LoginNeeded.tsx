import { useLoginDialog } from './useLoginDialog.tsx'

/** The way back in beside a form whose session has ended: what was typed stays where it is. */
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
