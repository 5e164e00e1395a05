import { Form } from 'react-router'
import { Problems, useRules } from '#ui/fields.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { type SecurityResult, validateChange } from './security.route.ts'
import { useUser } from './session.ts'

/** The current password, and the new one twice. */
export function PasswordForm({ result, busy }: { result: SecurityResult | undefined; busy: boolean }) {
  const { errors, form } = useRules(validateChange, result?.errors)
  const user = useUser()
  return (
    <Form method="post" action="/settings/security" {...form}>
      <input type="hidden" name="intent" value="password" />
      {/* The account of this password, for the browser's password manager. */}
      <input type="hidden" name="username" autoComplete="username" value={user?.email ?? ''} />
      <Problems messages={errors.server ? [errors.server] : undefined} />
      <PasswordField
        label="Current Password"
        name="current_password"
        autoComplete="current-password"
        required
        error={errors.current_password}
      />
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
      <p className="actions">
        <SubmitButton busy={busy}>Change password</SubmitButton>
      </p>
    </Form>
  )
}
