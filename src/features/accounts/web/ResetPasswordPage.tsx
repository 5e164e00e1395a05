import { Form, Link, useActionData, useLoaderData } from 'react-router'
import { Problems, useRules } from '#ui/fields.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import { UNUSABLE_LINK } from '../contract.ts'
import { type loader, type ResetResult, validateReset } from './resetPassword.route.ts'

export function Page() {
  const link = useLoaderData<typeof loader>()
  const result = useActionData<ResetResult>()
  return (
    <section className="narrow">
      <h1>Set a new password</h1>
      {link.usable && result?.usable !== false ? <ResetForm result={result} /> : <Unusable />}
    </section>
  )
}

function ResetForm({ result }: { result: ResetResult | undefined }) {
  const { errors, form } = useRules(validateReset, result?.errors)
  return (
    // Posts to the address with the token.
    <Form method="post" {...form}>
      <Problems messages={errors.server ? [errors.server] : undefined} />
      <PasswordField
        label="New Password"
        name="new_password"
        autoComplete="new-password"
        hint="6 to 20 characters"
        required
        error={errors.new_password}
      />
      <PasswordField
        label="Confirm New Password"
        name="confirm_password"
        autoComplete="new-password"
        required
        error={errors.confirm_password}
      />
      <p>Afterwards you log in with it. Every device is logged out.</p>
      <p className="actions">
        <SubmitButton busy={useSending()}>Set password</SubmitButton>
      </p>
    </Form>
  )
}

const Unusable = () => (
  <>
    <p role="alert">{UNUSABLE_LINK}. If you have set a password with it, log in with that.</p>
    <p className="actions">
      <Link className="button" to="/forgot-password">
        Ask for another link
      </Link>
      <Link className="button quiet" to="/login">
        Log In
      </Link>
    </p>
  </>
)
