import { Form, Link, useActionData } from 'react-router'
import { Problems, TextField, useRules } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import { RESET_ASKED } from '../contract.ts'
import { ASKED, type ForgottenResult, validateRequest } from './forgottenPassword.route.ts'

export function Page() {
  const flash = useFlash<ForgottenResult>(ASKED)
  const result = useActionData<ForgottenResult>() ?? flash
  const { errors, form } = useRules(validateRequest, result?.errors)
  return (
    <section className="narrow">
      <h1>Forgot your password?</h1>
      <div role="status">
        {result?.asked && <p className="success">{RESET_ASKED}. The link in it works for an hour</p>}
      </div>
      <p>We will send you a link with which you can set a new one.</p>
      <Form method="post" action="/forgot-password" {...form}>
        <Problems messages={errors.server ? [errors.server] : undefined} />
        <TextField
          label="Email"
          name="email"
          type="text"
          inputMode="email"
          autoComplete="username"
          required
          defaultValue={result?.email}
          error={errors.email}
        />
        <p className="actions">
          <SubmitButton busy={useSending()}>Send me a link</SubmitButton>
        </p>
      </Form>
      <p>
        It came back to you? <Link to="/login">Log In</Link>
      </p>
    </section>
  )
}
