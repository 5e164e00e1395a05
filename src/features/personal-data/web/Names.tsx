import { Form, Link, useActionData } from 'react-router'
import { DEMO } from '#accounts/contract.ts'
import { AccountField } from '#accounts/web/AccountField.tsx'
import { EmailSection } from '#accounts/web/EmailSection.tsx'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { SettingsPage } from '#accounts/web/SettingsPage.tsx'
import { Problems, TextField, useRules } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import { useTransient } from '#ui/use-transient.ts'
import { Agreements } from './Agreements.tsx'
import { DONE, type NamesPage, type NamesResult, validateNames } from './names.ts'
import { OwnData } from './OwnData.tsx'
import './personalData.css'

/** Hint beside first and last name. */
const NAME_HINT = 'Shown under your reviews'

/** Names and username, the e-mail address, the own data, and the way out. */
export function Names({ user, email, agreements, ...data }: NamesPage) {
  const flash = useFlash<NamesResult>(DONE)
  const result = useActionData<NamesResult>() ?? flash
  const status = useTransient(result)
  const busy = useSending()
  const { errors, form } = useRules(validateNames, result?.fields)
  const first = { ...user, ...result?.typed }
  const field = (name: 'first_name' | 'last_name' | 'username') => ({
    name,
    error: errors[name],
    defaultValue: first[name],
    required: true,
  })
  return (
    <SettingsPage title="Your account">
      <section className="account-part" aria-labelledby="names">
        <h2 id="names">Your names</h2>
        <Form method="post" action="/settings/account" preventScrollReset {...form}>
          <Problems messages={result?.problems} />
          {result?.loginNeeded && <LoginNeeded />}
          <AccountField typed={result?.typed?.account} />
          <TextField label="First Name" autoComplete="given-name" hint={NAME_HINT} {...field('first_name')} />
          <TextField label="Last Name" autoComplete="family-name" hint={NAME_HINT} {...field('last_name')} />
          <TextField
            label="Username"
            autoComplete="nickname"
            hint="The name of your shop page. For a year the old one leads to the new one, and nobody else can take it"
            {...field('username')}
          />
          <div className="actions">
            <SubmitButton busy={busy}>Save</SubmitButton>
            <div role="status">{status?.done && <p className="success">{status.done}</p>}</div>
          </div>
        </Form>
      </section>
      {user?.email !== DEMO.email && <EmailSection state={email} result={result?.email} busy={busy} />}
      <Agreements agreements={agreements} />
      {user?.email !== DEMO.email && <OwnData {...data} result={result?.data} busy={busy} />}
      <section className="account-part" aria-labelledby="leaving">
        <h2 id="leaving">Leaving</h2>
        <p>You see what goes and what stays before anything is deleted.</p>
        <p className="actions">
          <Link className="button quiet" to="/settings/account/delete">
            Delete your account
          </Link>
        </p>
      </section>
    </SettingsPage>
  )
}
