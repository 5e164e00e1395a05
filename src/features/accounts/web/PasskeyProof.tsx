import { useEffect, useRef } from 'react'
import { Problems } from '#ui/fields.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useHydrated } from '#ui/use-hydrated.ts'
import { canUsePasskeys } from './person.ts'
import { useSession } from './session.ts'

interface ProofProps {
  errors: Record<string, string>
  label: string
  button: string
  /** The passkey that the button is about, for screen readers. */
  which: string | undefined
  busy: boolean
  /** Whether there is no passkey to confirm with. */
  isFirst: boolean
  /** Whether the password is not enough. */
  passkeyOnly?: boolean
}

/** The password, and instead of it a button that requests a passkey. */
export function PasskeyProof({
  errors,
  label,
  button,
  which,
  busy,
  isFirst,
  passkeyOnly = false,
}: ProofProps) {
  const hydrated = useHydrated()
  const { passkeys: available } = useSession()
  const field = useRef<HTMLDivElement>(null)
  const wrong = errors.current_password
  useEffect(() => {
    // At each refusal, also with the same words.
    if (errors.current_password) field.current?.querySelector('input')?.focus()
  }, [errors])
  return (
    <>
      <Problems messages={errors.server ? [errors.server] : undefined} />
      {!passkeyOnly && (
        <div ref={field}>
          <PasswordField
            label={label}
            name="current_password"
            autoComplete="current-password"
            error={wrong}
          />
        </div>
      )}
      <p className="actions">
        {!passkeyOnly && (
          <SubmitButton className="button quiet" busy={busy} aria-label={which && `${button} ${which}`}>
            {button}
          </SubmitButton>
        )}
        {!isFirst && available && hydrated && canUsePasskeys() && (
          <SubmitButton
            className="button quiet"
            busy={busy}
            name="proof"
            value="passkey"
            aria-label={which && `Confirm with a passkey: ${button.toLowerCase()} ${which}`}
          >
            Confirm with a passkey
          </SubmitButton>
        )}
      </p>
    </>
  )
}
