import { Link, useActionData, useLoaderData } from 'react-router'
import type { LoginResult, loader } from './login.route.ts'
import { loginTo } from './person.ts'
import { SignupForm } from './SignupForm.tsx'

export function Page() {
  const { next } = useLoaderData<typeof loader>()
  const refused = useActionData<LoginResult>()
  return (
    <section className="narrow">
      <h1>Sign Up</h1>
      <SignupForm next={next} refused={refused} checks="confirmation" />
      <p>
        Already one of us? <Link to={loginTo(next)}>Log In</Link>
      </p>
    </section>
  )
}
