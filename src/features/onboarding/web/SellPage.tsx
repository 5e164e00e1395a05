import { Form, Link, useActionData, useLoaderData } from 'react-router'
import { AccountField } from '#accounts/web/AccountField.tsx'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { loginTo } from '#accounts/web/person.ts'
import { formatDate } from '#format-date'
import { Problems, TextAreaField, useRules } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useSending } from '#ui/use-sending.ts'
import { APPLICATION_LENGTH, type Application, type Selling } from '../contract.ts'
import { DONE, type loader, SELL, type SellResult, validateApplication } from './sell.route.ts'
import './sell.css'

const invitedTo = (code: string) => `${SELL}?invitation=${encodeURIComponent(code)}`

/** How a user becomes a seller: at once, by an application, or by an invitation. */
export function Page() {
  const { selling, invitation, isRefused } = useLoaderData<typeof loader>()
  const flash = useFlash<SellResult>(DONE)
  const result = useActionData<SellResult>() ?? flash
  const status = useFocusOnResult<HTMLParagraphElement>(result?.done && result)
  return (
    <section className="sell" aria-labelledby="sell">
      <h1 id="sell">Sell with us</h1>
      <p className="success" role="status" tabIndex={-1} ref={status}>
        {result?.done}
      </p>
      <Problems messages={result?.problems} />
      {result?.loginNeeded && <LoginNeeded />}
      {!selling && !isRefused && <ForVisitors invitation={invitation} />}
      {isRefused && invitation === null && !mayApply(selling) && <ApplicationForm result={result} />}
      {selling &&
        (selling.suspended ? (
          <Suspended />
        ) : (
          <Ways selling={selling} invitation={invitation} result={result} />
        ))}
    </section>
  )
}

/** Whether the page has the form for an application. After a refusal it is shown to others too: the typed words stay. */
const mayApply = (selling: Selling | null): boolean =>
  selling !== null &&
  !selling.suspended &&
  !selling.may_sell &&
  selling.who_may_sell === 'approval' &&
  selling.application?.accepted !== null

const Suspended = () => (
  <p>
    Your shop is suspended, and nothing new can be listed.{' '}
    <Link to="/settings/notices">Why, and how to object</Link>
  </p>
)

interface WaysProps {
  selling: Selling
  invitation: string | null
  result: SellResult | undefined
}

function Ways({ selling, invitation, result }: WaysProps) {
  if (selling.may_sell) return <Allowed selling={selling} />
  return (
    <>
      {invitation !== null && <Accept code={invitation} result={result} />}
      {selling.who_may_sell === 'approval' && <Applying application={selling.application} result={result} />}
      {selling.who_may_sell === 'invitation' && invitation === null && (
        <p>
          Makers of this shop are invited. If you have a link, open it. If not, ask those who run the shop.
        </p>
      )}
    </>
  )
}

function ForVisitors({ invitation }: { invitation: string | null }) {
  const next = invitation === null ? SELL : invitedTo(invitation)
  return (
    <>
      <p>
        {invitation === null
          ? 'Makers have an account, like everybody who buys here.'
          : 'You are invited to sell what you make. For that you need an account.'}
      </p>
      <p className="actions">
        <Link className="button" to={loginTo(next)}>
          Log In
        </Link>
        <Link className="button quiet" to={loginTo(next, '/signup')}>
          Sign Up
        </Link>
      </p>
    </>
  )
}

const Allowed = ({ selling }: { selling: Selling }) =>
  selling.details_missing ? (
    <>
      <p>You may sell here. Please say first who sells: everybody who buys can read it.</p>
      <p className="actions">
        <Link className="button" to="/settings/seller">
          Say who sells
        </Link>
      </p>
    </>
  ) : (
    <>
      <p>You may sell here.</p>
      <p className="actions">
        <Link className="button" to="/products/new">
          Add a listing
        </Link>
        <Link className="button quiet" to="/settings/shop">
          Your shop page
        </Link>
      </p>
    </>
  )

function Accept({ code, result }: { code: string; result: SellResult | undefined }) {
  const busy = useSending()
  return (
    // The address keeps the invitation, should the session have ended.
    <Form method="post" action={invitedTo(code)}>
      <AccountField typed={result?.account} />
      <input type="hidden" name="code" value={code} />
      <p>You are invited to sell what you make.</p>
      <SubmitButton busy={busy}>Accept the invitation</SubmitButton>
    </Form>
  )
}

function Applying({
  application,
  result,
}: {
  application: Application | null
  result: SellResult | undefined
}) {
  return (
    <>
      <p>Those who run the shop read every application, and answer by letter.</p>
      {application && (
        <section aria-labelledby="application">
          <h2 id="application">{`Your application of ${formatDate(application.created_at)}`}</h2>
          <p className="quoted" dir="auto">
            {application.words}
          </p>
          {application.accepted === null ? (
            <p>It waits for an answer.</p>
          ) : (
            <>
              <p>The answer was no this time:</p>
              <p className="quoted" dir="auto">
                {application.reason}
              </p>
            </>
          )}
        </section>
      )}
      {application?.accepted !== null && <ApplicationForm result={result} again={application !== null} />}
    </>
  )
}

function ApplicationForm({ result, again }: { result: SellResult | undefined; again?: boolean }) {
  const busy = useSending()
  const { errors, form } = useRules(validateApplication, result?.fields)
  return (
    <Form method="post" action={SELL} {...form}>
      <AccountField typed={result?.account} />
      <TextAreaField
        label={again ? 'Apply again: what do you make, and how?' : 'What do you make, and how?'}
        name="words"
        rows={8}
        limit={APPLICATION_LENGTH}
        dir="auto"
        hint="Where your work can be seen helps."
        error={errors.words}
        defaultValue={result?.typed}
      />
      <SubmitButton busy={busy}>Apply</SubmitButton>
    </Form>
  )
}
