import { Link, useActionData, useLoaderData } from 'react-router'
import { loginTo } from './person.ts'
import { purposeOf } from './purpose.ts'
import { SignupForm } from './SignupForm.tsx'
import type { loader, SignupResult } from './signup.route.ts'

export function Page() {
  const { next, pages } = useLoaderData<typeof loader>()
  const refused = useActionData<SignupResult>()
  return (
    <section className="narrow">
      <h1>Sign Up</h1>
      <SignupForm
        next={next}
        purpose={purposeOf(next)}
        refused={refused}
        pages={pages}
        checks="confirmation"
      />
      <p>
        Already one of us? <Link to={loginTo(next)}>Log In</Link>
      </p>
    </section>
  )
}
