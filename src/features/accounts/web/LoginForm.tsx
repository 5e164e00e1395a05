import { type MouseEvent, useEffect, useId, useRef } from 'react'
import { Link, useFetcher } from 'react-router'
import { loginTo } from '#accounts/web/person.ts'
import { useSession } from '#accounts/web/session.ts'
import { fieldErrors } from '#contract'
import { Problems, TextField, useRules } from '#ui/fields.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { DEMO, Login } from '../contract.ts'
import type { LoginResult } from './login.route.ts'
import { PasskeyLogin } from './PasskeyLogin.tsx'

interface FormProps {
  /** Address to go to after login; without one the page stays and `onDone` is called. */
  next?: string
  onDone?: () => void
  /** Why a login is needed, if the user wanted something else: 'to see your cart'. */
  purpose?: string | undefined
  /** Result of a form that was sent without scripts. */
  refused?: LoginResult | undefined
}

const check = (form: FormData) => fieldErrors(Login, Object.fromEntries(form))

/** The login form, for a page or a dialog. @param fillDemo fills in the demo account */
export function LoginForm({
  next,
  onDone,
  purpose,
  refused,
  fillDemo = false,
}: FormProps & { fillDemo?: boolean }) {
  const fetcher = useFetcher<LoginResult>()
  const { demo, passkeys } = useSession()
  const result = fetcher.data ?? refused
  const { errors, form } = useRules(check, result?.errors)
  const purposeId = useId()
  const submit = useRef<HTMLButtonElement>(null)
  const done = fetcher.data?.done
  useEffect(() => {
    if (done) onDone?.()
  }, [done, onDone])
  const fillIn = (event: MouseEvent<HTMLAnchorElement>) => {
    event.preventDefault()
    const fields = form.ref.current?.elements
    for (const [name, value] of Object.entries(DEMO)) {
      const field = fields?.namedItem(name)
      if (field instanceof HTMLInputElement) field.value = value
    }
    submit.current?.focus()
  }
  const start = fillDemo && demo ? DEMO : { email: result?.typed?.email, password: undefined }
  const action = loginTo(next ?? '/', '/login')
  return (
    <>
      <fetcher.Form method="post" action={action} aria-labelledby={purpose && purposeId} {...form}>
        {purpose && <p id={purposeId}>{`Log in ${purpose}`}</p>}
        {next === undefined && <input type="hidden" name="stay" value="1" />}
        <Problems messages={errors.server ? [errors.server] : undefined} />
        <TextField
          label="Email"
          name="email"
          autoFocus={next === undefined}
          type="text"
          inputMode="email"
          autoComplete={passkeys ? 'username webauthn' : 'username'}
          required
          defaultValue={start.email}
          error={errors.email}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          defaultValue={start.password}
          error={errors.password}
        />
        <p className="actions">
          <SubmitButton ref={submit} busy={fetcher.state !== 'idle'}>
            Log In
          </SubmitButton>
          {demo && (
            <a className="button quiet" href="/login?demo" onClick={fillIn}>
              Demo User
            </a>
          )}
        </p>
      </fetcher.Form>
      <p>
        Forgot your password? <Link to="/forgot-password">Set a new one</Link>
      </p>
      {passkeys && <PasskeyLogin action={action} stay={next === undefined} onDone={onDone} />}
    </>
  )
}
