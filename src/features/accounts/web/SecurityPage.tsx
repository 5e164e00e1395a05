import { Form, useActionData, useLoaderData, useLocation } from 'react-router'
import { formatDate } from '#format-date'
import { Problems } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useSending } from '#ui/use-sending.ts'
import type { Session } from '../contract.ts'
import { LoginNeeded } from './LoginNeeded.tsx'
import { PasskeySection } from './PasskeySection.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { DONE, type loader, type SecurityResult } from './security.route.ts'
import './security.css'

export function Page() {
  const { sessions, passkeys } = useLoaderData<typeof loader>()
  const flash = useFlash<SecurityResult>(DONE)
  const result = useActionData<SecurityResult>() ?? flash
  const status = useFocusOnResult<HTMLParagraphElement>(result?.done && result)
  const busy = useSending()
  const { key } = useLocation()
  return (
    <SettingsPage title="Security">
      <p className="success" role="status" tabIndex={-1} ref={status}>
        {result?.done}
      </p>
      {result?.loginNeeded && <LoginNeeded />}
      <section aria-labelledby="where">
        <h2 id="where">Where you are logged in</h2>
        <Problems messages={result?.problems} />
        <ul className="sessions">
          {sessions.map(session => (
            <SessionItem key={session.id} session={session} busy={busy} />
          ))}
        </ul>
        <Form method="post" action="/settings/security">
          <input type="hidden" name="intent" value="end-all" />
          <p>Something looks wrong? This ends every one of them, here too.</p>
          <SubmitButton className="button quiet" busy={busy}>
            Log out everywhere
          </SubmitButton>
        </Form>
      </section>
      <section aria-labelledby="password">
        <h2 id="password">Your password</h2>
        <PasswordForm
          key={result?.done === DONE.changed.done ? key : undefined}
          result={result}
          busy={busy}
        />
      </section>
      <PasskeySection passkeys={passkeys} result={result?.passkey} busy={busy} />
    </SettingsPage>
  )
}

function SessionItem({ session, busy }: { session: Session; busy: boolean }) {
  const { id, device, begun_at, used_at, current } = session
  return (
    <li>
      <div>
        <p className="device">{device}</p>
        <p className="when">{current ? 'This device' : `Last used ${hourOf(used_at)}`}</p>
        <p className="when">{`Logged in since ${formatDate(begun_at)}`}</p>
      </div>
      {!current && (
        <Form method="post" action="/settings/security" preventScrollReset>
          <input type="hidden" name="intent" value="end" />
          <input type="hidden" name="id" value={id} />
          <SubmitButton
            className="button quiet"
            busy={busy}
            aria-label={`Log out ${device}, in since ${formatDate(begun_at)}`}
          >
            Log out
          </SubmitButton>
        </Form>
      )}
    </li>
  )
}

/** 'March 7, 2026, about 14:00 UTC': use is recorded by the hour. */
const hourOf = (moment: string) => `${formatDate(moment)}, about ${moment.slice(11, 13)}:00 UTC`
