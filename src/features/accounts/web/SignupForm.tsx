import { useEffect } from 'react'
import { useFetcher } from 'react-router'
import { loginTo } from '#accounts/web/person.ts'
import { fieldErrors } from '#contract'
import type { FieldErrors } from '#problem'
import { Problems, TextField, useRules } from '#ui/fields.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { agreedWords } from '../agreement-text.ts'
import { type PageToAgree, Signup } from '../contract.ts'
import { Agreement } from './Agreement.tsx'
import { withConfirmation } from './fieldsOf.ts'
import { bodyOf, type SignupResult } from './signup.route.ts'

interface FormProps {
  /** Address to go to after signup; without one the page stays and `onDone` is called. */
  next?: string
  onDone?: () => void
  /** Why an account is needed: 'to see your cart'. */
  purpose?: string | undefined
  refused?: SignupResult | undefined
  /** What new members agree to. */
  pages: PageToAgree[]
  /** Rules that the browser checks: all in the dialog, only the confirmation on the page. The server checks all. */
  checks: 'all' | 'confirmation'
}

const confirmation = (form: FormData) => withConfirmation(form, 'password')

function everyRule(form: FormData, pages: PageToAgree[]): FieldErrors | undefined {
  const errors: FieldErrors = { ...fieldErrors(Signup, bodyOf(form)), ...confirmation(form) }
  if (!form.get('confirm_password')) errors.confirm_password ??= 'Confirm Password is required'
  if (pages.length > 0 && !form.has('agreed')) errors.agreed = agreedWords(pages)
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** Hint beside first and last name. */
const NAME_HINT = 'Shown under your reviews'

export function SignupForm({ next, onDone, purpose, refused, pages: first, checks }: FormProps) {
  const fetcher = useFetcher<SignupResult>()
  const result = fetcher.data ?? refused
  // Newer ones, if they were published while the form was open.
  const pages = result?.pages ?? first
  const check = (form: FormData) => (checks === 'all' ? everyRule(form, pages) : confirmation(form))
  const { errors, form } = useRules(check, result?.errors)
  const done = fetcher.data?.done
  useEffect(() => {
    if (done) onDone?.()
  }, [done, onDone])
  const field = (name: string) => ({
    name,
    error: errors[name],
    defaultValue: result?.typed?.[name],
    required: true,
  })
  return (
    <fetcher.Form method="post" action={loginTo(next ?? '/', '/signup')} {...form}>
      {purpose && <p>{`Sign up ${purpose}`}</p>}
      {next === undefined && <input type="hidden" name="stay" value="1" />}
      <Problems messages={errors.server ? [errors.server] : undefined} />
      <TextField label="Email" type="text" inputMode="email" autoComplete="email" {...field('email')} />
      <div className="pair">
        <TextField label="First Name" autoComplete="given-name" hint={NAME_HINT} {...field('first_name')} />
        <TextField label="Last Name" autoComplete="family-name" hint={NAME_HINT} {...field('last_name')} />
      </div>
      <p className="hint">
        Public are your username, and your names with your reviews; with your pieces only if you choose so.
        Your email is not public.
      </p>
      <TextField
        label="Username"
        autoComplete="nickname"
        hint="Everybody sees it: your page as a maker has this name"
        {...field('username')}
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint="6 to 20 characters"
        {...field('password')}
      />
      <PasswordField label="Confirm Password" autoComplete="new-password" {...field('confirm_password')} />
      <Agreement pages={pages} error={errors.agreed} typed={result?.typed?.agreed} />
      <p className="actions">
        <SubmitButton busy={fetcher.state !== 'idle'}>Sign Up</SubmitButton>
      </p>
    </fetcher.Form>
  )
}
