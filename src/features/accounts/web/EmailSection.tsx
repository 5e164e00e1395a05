import { Form } from 'react-router'
import { Problems, TextField, useRules } from '#ui/fields.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import type { EmailState } from '../email-contract.ts'
import { type EmailResult, validateEmail } from './emailChanges.ts'
import { LoginNeeded } from './LoginNeeded.tsx'

const PAGE = '/settings/account'

interface SectionProps {
  /** null if the session ended while a form was refused. */
  state: EmailState | null
  result: EmailResult | undefined
  busy: boolean
}

/** The e-mail address: whether it is confirmed, and its change. */
export function EmailSection({ state, result, busy }: SectionProps) {
  const status = useFocusOnResult<HTMLDivElement>(result?.done && result)
  return (
    <section className="account-part" aria-labelledby="email">
      <h2 id="email">Your e-mail address</h2>
      <div role="status" tabIndex={-1} ref={status}>
        {result?.done && <p className="success">{result.done}</p>}
      </div>
      <Problems messages={result?.problems} />
      {result?.loginNeeded && <LoginNeeded />}
      {state && <Present state={state} busy={busy} />}
      <ChangeForm key={state?.new_email} state={state} result={result} busy={busy} />
    </section>
  )
}

/** The present address, and the one that waits. */
function Present({ state: { email, confirmed, new_email }, busy }: { state: EmailState; busy: boolean }) {
  return (
    <>
      <p className="email-address">
        <strong dir="auto">{email}</strong>
        {confirmed ? ' is confirmed. ' : ' is not confirmed yet. '}
        If you forget your password, a letter to this address lets you choose a new one, and letters about
        your sales go there.
      </p>
      {!confirmed && (
        <Form method="post" action={PAGE} preventScrollReset>
          <input type="hidden" name="intent" value="email-confirm" />
          <p>The button in our letter confirms it. Did none arrive?</p>
          <p className="actions">
            <SubmitButton className="button quiet" busy={busy}>
              Send the letter again
            </SubmitButton>
          </p>
        </Form>
      )}
      {new_email !== null && (
        <Form method="post" action={PAGE} preventScrollReset>
          <input type="hidden" name="intent" value="email-keep" />
          <p className="email-address">
            {'It changes to '}
            <strong dir="auto">{new_email}</strong>
            {' when you press the button in our letter there. The letter is good for 24 hours.'}
          </p>
          <p className="actions">
            <SubmitButton className="button quiet" busy={busy}>
              Cancel this change
            </SubmitButton>
          </p>
        </Form>
      )}
    </>
  )
}

function ChangeForm({ state, result, busy }: SectionProps) {
  const { errors, form } = useRules(validateEmail, result?.errors)
  return (
    <Form method="post" action={PAGE} preventScrollReset {...form}>
      <input type="hidden" name="intent" value="email-change" />
      {/* The account of this password, for the browser's password manager. */}
      <input type="hidden" name="username" autoComplete="username" value={state?.email ?? ''} />
      <Problems messages={errors.server ? [errors.server] : undefined} />
      <TextField
        label="New Email"
        name="email"
        type="text"
        inputMode="email"
        autoComplete="email"
        hint="It counts once you have confirmed it there. We tell the present one, too"
        required
        defaultValue={result?.typed}
        error={errors.email}
      />
      <PasswordField
        label="Current Password"
        name="current_password"
        autoComplete="current-password"
        required
        error={errors.current_password}
      />
      <p className="actions">
        <SubmitButton busy={busy}>Change e-mail address</SubmitButton>
      </p>
    </Form>
  )
}
