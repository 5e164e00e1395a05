import { Link, useActionData, useLoaderData } from 'react-router'
import { useFlash } from '#ui/flash.ts'
import { LoginForm } from './LoginForm.tsx'
import type { LoginResult, loader } from './login.route.ts'
import { loginTo } from './person.ts'
import { purposeOf } from './purpose.ts'

/** Message after a reset of the password: whether the passkeys stay or were removed. */
const DONE = {
  reset: 'Your new password is set. Log in with it',
  stay: 'Your new password is set. Log in with it. Your passkeys still log in too: check that you know',
  removed:
    'Your new password is set. Log in with it. The passkeys of this account were removed, because its address was not confirmed',
}

export function Page() {
  const { next, fillDemo } = useLoaderData<typeof loader>()
  const refused = useActionData<LoginResult>()
  const done = useFlash(DONE)
  return (
    <section className="narrow">
      <h1>Log In</h1>
      <div role="status">
        {done && (
          <p className="success">
            {done}
            {done === DONE.stay && (
              <>
                {' '}
                <Link to="/settings/security">all of them</Link>
              </>
            )}
          </p>
        )}
      </div>
      <LoginForm next={next} purpose={purposeOf(next)} fillDemo={fillDemo} refused={refused} />
      <p>
        New here? <Link to={loginTo(next, '/signup')}>Sign Up</Link>
      </p>
    </section>
  )
}
