import { Form, Link, useActionData, useLoaderData } from 'react-router'
import { loginTo } from '#accounts/web/person.ts'
import { useUser } from '#accounts/web/session.ts'
import { useBrand } from '#ui/brand.ts'
import { Problems } from '#ui/fields.tsx'
import type { Refusal } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import type { loader } from './setupLink.route.ts'

/** Where the link leads that a new shop prints when it starts. */
export function Page() {
  const { path } = useLoaderData<typeof loader>()
  const user = useUser()
  const { name } = useBrand()
  const busy = useSending()
  return (
    <section className="reading">
      <h1>Set up this shop</h1>
      <Problems messages={useActionData<Refusal>()?.problems} />
      <p>{`This link is for whoever starts ${name}, and works once. With it you run the shop: you give it a name and a look, decide who may sell, and help people.`}</p>
      {user ? (
        <Form method="post">
          <p>{`You are logged in as ${user.username}.`}</p>
          <SubmitButton busy={busy}>I run this shop</SubmitButton>
        </Form>
      ) : (
        <>
          <p>Begin with an account of your own.</p>
          <p className="actions">
            <Link className="button" to={loginTo(path, '/signup')}>
              Sign Up
            </Link>
            <Link className="button quiet" to={loginTo(path)}>
              Log In
            </Link>
          </p>
        </>
      )}
    </section>
  )
}
