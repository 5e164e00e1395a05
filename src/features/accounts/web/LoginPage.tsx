import { Link, useActionData, useLoaderData } from 'react-router'
import { LoginForm } from './LoginForm.tsx'
import type { LoginResult, loader } from './login.route.ts'
import { loginTo } from './person.ts'

export function Page() {
  const { next, fillDemo } = useLoaderData<typeof loader>()
  const refused = useActionData<LoginResult>()
  return (
    <section className="narrow">
      <h1>Log In</h1>
      <LoginForm next={next} fillDemo={fillDemo} refused={refused} />
      <p>
        New here? <Link to={loginTo(next, '/signup')}>Sign Up</Link>
      </p>
    </section>
  )
}
