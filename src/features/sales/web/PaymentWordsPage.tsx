import { Form, useActionData, useLoaderData } from 'react-router'
import { AccountField } from '#accounts/web/AccountField.tsx'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { SettingsPage } from '#accounts/web/SettingsPage.tsx'
import { Problems, TextAreaField, useRules } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import { useTransient } from '#ui/use-transient.ts'
import { PAYMENT_WORDS_LENGTH } from '../input-contract.ts'
import { DONE, type loader, validateWords, type WordsResult } from './paymentWords.route.ts'

/** How shoppers pay, in the maker's own words. */
export function Page() {
  const { words } = useLoaderData<typeof loader>()
  const flash = useFlash<WordsResult>(DONE)
  const result = useActionData<WordsResult>() ?? flash
  const message = useTransient(result)
  const busy = useSending()
  const { errors, form } = useRules(validateWords, result?.fields)
  return (
    <SettingsPage title="Payment">
      <p>
        The shop takes no payments: your shoppers pay you directly. Say how. Only people who have ordered from
        you read this, on the page of their order.
      </p>
      <Form method="post" action="/settings/payment" preventScrollReset {...form}>
        <AccountField typed={result?.typed?.account} />
        <Problems messages={result?.problems} />
        {result?.loginNeeded && <LoginNeeded />}
        <TextAreaField
          label="How to pay you"
          name="words"
          rows={8}
          hint={`At most ${PAYMENT_WORDS_LENGTH} characters. For example an account for transfers, or cash when it is collected`}
          limit={PAYMENT_WORDS_LENGTH}
          defaultValue={result?.typed?.words ?? words}
          error={errors.words}
        />
        <div className="actions">
          <SubmitButton busy={busy}>Save</SubmitButton>
          <div role="status">{message?.done && <p className="success">{message.done}</p>}</div>
        </div>
      </Form>
    </SettingsPage>
  )
}
