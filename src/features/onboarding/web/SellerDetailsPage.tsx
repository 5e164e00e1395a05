import { Form, useActionData, useLoaderData } from 'react-router'
import { AccountField } from '#accounts/web/AccountField.tsx'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { SettingsPage } from '#accounts/web/SettingsPage.tsx'
import { Problems, TextAreaField, TextField, useRules } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import { useTransient } from '#ui/use-transient.ts'
import { SAFETY_LENGTH } from '../contract.ts'
import { type DetailsResult, DONE, type loader, validateDetails } from './sellerDetails.route.ts'

/** The form in which a maker says who sells. */
export function Page() {
  const { details } = useLoaderData<typeof loader>()
  const flash = useFlash<DetailsResult>(DONE)
  const result = useActionData<DetailsResult>() ?? flash
  const message = useTransient(result)
  const busy = useSending()
  const { errors, form } = useRules(validateDetails, result?.fields)
  const first: Record<string, unknown> = {
    ...details,
    ...(details && { is_trader: details.is_trader ? 'yes' : 'no' }),
    ...result?.typed,
  }
  const isOutside = result?.typed ? result.typed.outside_eu === 'on' : details?.outside_eu
  const field = (name: string) => ({
    name,
    defaultValue: String(first[name] ?? ''),
    error: errors[name],
  })
  return (
    <SettingsPage title="Seller details">
      <p>
        Who sells, as the law asks. Everybody can read this on your page and beside what you sell: write
        nothing here that is not meant for that.
      </p>
      <Form method="post" preventScrollReset className="choices" {...form}>
        <AccountField typed={result?.typed?.account} />
        <Problems messages={result?.problems} />
        {result?.loginNeeded && <LoginNeeded />}
        <fieldset aria-describedby={errors.is_trader ? 'is-trader-error' : undefined}>
          <legend>Do you sell as a business?</legend>
          <label>
            <input type="radio" name="is_trader" value="yes" defaultChecked={first.is_trader === 'yes'} />
            Yes: I am a trader
          </label>
          <label>
            <input type="radio" name="is_trader" value="no" defaultChecked={first.is_trader === 'no'} />
            No: I sell now and then, as a private person
          </label>
          {errors.is_trader && (
            <p className="error" id="is-trader-error" role="alert">
              {errors.is_trader}
            </p>
          )}
        </fieldset>
        <TextField label="Name of who sells" autoComplete="organization" dir="auto" {...field('name')} />
        <TextAreaField
          label="Address"
          rows={3}
          dir="auto"
          hint="A business has to give address, email and phone."
          {...field('address')}
        />
        <TextField label="Email for customers" type="email" {...field('email')} />
        <TextField label="Phone" type="tel" {...field('phone')} />
        <TextField
          label="Trade register and number"
          hint="If you have one."
          dir="auto"
          {...field('register')}
        />
        <TextField label="VAT number" hint="If you have one." {...field('vat_id')} />
        <TextAreaField
          label="Responsible person in the European Union"
          rows={3}
          dir="auto"
          hint="Name, address and email, if you make things elsewhere and send them there."
          {...field('responsible_person')}
        />
        <fieldset>
          <legend>Product safety</legend>
          <label>
            <input type="checkbox" name="outside_eu" defaultChecked={isOutside} />I make things outside of the
            European Union, and send them there
          </label>
        </fieldset>
        <TextAreaField
          label="Warnings and safety information for all your pieces"
          rows={4}
          limit={SAFETY_LENGTH}
          dir="auto"
          hint="In the language of those who buy. A listing can have its own instead. If none are needed, say so."
          {...field('safety')}
        />
        <div className="actions">
          <SubmitButton busy={busy}>Save</SubmitButton>
          <div role="status">{message?.done && <p className="success">{message.done}</p>}</div>
        </div>
      </Form>
    </SettingsPage>
  )
}
