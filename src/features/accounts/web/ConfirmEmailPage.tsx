import { Form, Link, useActionData, useLoaderData } from 'react-router'
import { Problems } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useSending } from '#ui/use-sending.ts'
import { LINK_GONE, TAKEN_MEANWHILE } from '../email-contract.ts'
import { type ConfirmResult, DONE, type loader } from './confirmEmail.route.ts'
import { useUser } from './session.ts'

/** Where the link of a letter leads: one button, and afterwards what it has done. */
export function Page() {
  const done = useFlash(DONE)
  const refused = useActionData<ConfirmResult>()
  const message = refused?.message
  const { hasToken } = useLoaderData<typeof loader>()
  const isOver = message === LINK_GONE || message === TAKEN_MEANWHILE
  const outcome = useFocusOnResult<HTMLDivElement>(done ?? refused)
  return (
    <section className="narrow">
      <h1>Confirm your address</h1>
      <div tabIndex={-1} ref={outcome}>
        <div role="status">{done && <p className="success">{done}</p>}</div>
        <Problems messages={message === undefined ? undefined : [message]} />
      </div>
      {done ? <Onwards /> : !hasToken || isOver ? <AnotherLetter /> : <Confirm />}
    </section>
  )
}

function Confirm() {
  const busy = useSending()
  return (
    // To the same address, which has the token.
    <Form method="post">
      <p>One press, and we know that you read our letters to this address.</p>
      <p className="actions">
        <SubmitButton busy={busy}>Confirm</SubmitButton>
      </p>
    </Form>
  )
}

/** For a visitor and a user. */
function Onwards() {
  const user = useUser()
  return (
    <p className="actions">
      {user ? (
        <Link className="button quiet" to="/settings/account">
          Your account
        </Link>
      ) : (
        <Link className="button quiet" to="/login">
          Log In
        </Link>
      )}
      <Link className="button quiet" to="/">
        See what others make
      </Link>
    </p>
  )
}

const AnotherLetter = () => (
  <>
    <p>
      Open the newest letter that we sent you, or copy its whole link. In the settings of your account you can
      ask for another letter.
    </p>
    <p className="actions">
      <Link className="button quiet" to="/settings/account">
        Ask for another letter
      </Link>
    </p>
  </>
)
