import { Form, Link, useActionData, useLoaderData } from 'react-router'
import { AccountField } from '#accounts/web/AccountField.tsx'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { SettingsPage } from '#accounts/web/SettingsPage.tsx'
import { Problems } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import { useTransient } from '#ui/use-transient.ts'
import { DONE, type LettersPage, type LettersResult, type loader } from './letters.route.ts'
import './notifications.css'

/** Which letters the user wants, and which are always sent. */
export function Page() {
  const page = useLoaderData<typeof loader>()
  const flash = useFlash<LettersResult>(DONE)
  const result = useActionData<LettersResult>() ?? flash
  const status = useTransient(result)
  const busy = useSending()
  return (
    <SettingsPage title="Letters">
      {page && <Address {...page} />}
      <Problems messages={result?.problems} />
      {(!page || result?.loginNeeded) && <LoginNeeded />}
      {page && (
        <Form method="post" action="/settings/letters" className="choices" preventScrollReset>
          <AccountField typed={result?.account} />
          <fieldset aria-describedby="letters-off">
            <legend>Send me letters about</legend>
            {page.letters.map(({ kind, about, on }) => (
              <label key={kind}>
                <input type="hidden" name="kind" value={kind} />
                <input
                  type="checkbox"
                  name="on"
                  value={kind}
                  defaultChecked={result?.on ? result.on.includes(kind) : on}
                />
                {about}
              </label>
            ))}
          </fieldset>
          <p className="hint" id="letters-off">
            What you do not get as a letter still is among your <Link to="/notifications">notifications</Link>
            .
          </p>
          <div className="actions">
            <SubmitButton busy={busy}>Save</SubmitButton>
            <div role="status">{status?.done && <p className="success">{status.done}</p>}</div>
          </div>
        </Form>
      )}
      <section className="always" aria-labelledby="always">
        <h2 id="always">Always sent</h2>
        <p>
          Letters about your orders, your sales and your account are always sent: somebody waits for you or
          for a piece, or somebody may be using your account without you.
        </p>
      </section>
    </SettingsPage>
  )
}

const Address = ({ email, unconfirmed }: Pick<LettersPage, 'email' | 'unconfirmed'>) => (
  <>
    <p className="email-address">{`Letters go to ${email}.`}</p>
    {unconfirmed && (
      <p className="hint">
        {'Those of the list come when this address is confirmed. '}
        <Link to="/settings/account">Confirm it</Link>
      </p>
    )}
  </>
)
