import { Link, useActionData, useLoaderData } from 'react-router'
import { useFlash } from '#ui/flash.ts'
import { LoginForm } from './LoginForm.tsx'
import type { LoginResult, loader } from './login.route.ts'
import { loginTo } from './person.ts'

/** Reason for the login. */
const DONE = { reset: 'Your new password is set. Log in with it' }

export function Page() {
  const { next, fillDemo } = useLoaderData<typeof loader>()
  const refused = useActionData<LoginResult>()
  const done = useFlash<string>(DONE)
  return (
    <section className="narrow">
      <h1>Log In</h1>
      <div role="status">{done && <p className="success">{done}</p>}</div>
      <LoginForm next={next} fillDemo={fillDemo} refused={refused} />
      <p>
        New here? <Link to={loginTo(next, '/signup')}>Sign Up</Link>
      </p>
    </section>
  )
}
