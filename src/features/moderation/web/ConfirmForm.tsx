import { Form, Link, useSearchParams } from 'react-router'
import { PasskeyProof } from '#accounts/web/PasskeyProof.tsx'
import { OPERATOR_HOURS, type OperatorSession, PASSKEY_REQUIRED } from '#operators/contract.ts'
import type { FieldErrors } from '#problem'
import { useSending } from '#ui/use-sending.ts'
import { OPERATE } from './operate.route.ts'

interface Props {
  session: OperatorSession
  fields: FieldErrors | undefined
}

/** Operators prove who they are before anything opens. */
export function ConfirmForm({ session, fields }: Props) {
  const busy = useSending()
  const next = useSearchParams()[0].get('next') ?? OPERATE
  if (session.passkey_required && !session.has_passkey)
    return (
      <p>
        {`${PASSKEY_REQUIRED}. `}
        <Link to="/settings/security">Security</Link>
      </p>
    )
  return (
    <Form method="post" className="confirm">
      <p>
        {`These pages are for those who run the shop. They open for ${OPERATOR_HOURS} hours, in this browser alone.`}
      </p>
      <input type="hidden" name="intent" value="confirm" />
      <input type="hidden" name="next" value={next} />
      <PasskeyProof
        errors={fields ?? {}}
        label="Your password"
        button="Confirm"
        which={undefined}
        busy={busy}
        isFirst={!session.has_passkey}
        passkeyOnly={session.passkey_required}
      />
      {session.passkey_required && (
        <p className="hint">
          In this shop a passkey alone opens them. It needs scripts, and a browser that has passkeys.
        </p>
      )}
    </Form>
  )
}
