import { type FormEvent, useId } from 'react'
import { Form, useActionData, useLoaderData } from 'react-router'
import { AccountField } from '#accounts/web/AccountField.tsx'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { SettingsPage } from '#accounts/web/SettingsPage.tsx'
import { formatDate } from '#format-date'
import { AwayNotice } from '#postage/web/AwayNotice.tsx'
import { Problems, TextAreaField, TextField, useRules } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useSending } from '#ui/use-sending.ts'
import { useTransient } from '#ui/use-transient.ts'
import { type Holiday, NOTE_LENGTH } from '../contract.ts'
import { DONE, type HolidayResult, type loader, validateHoliday } from './holiday.route.ts'

/** When a seller takes no orders. */
export function Page() {
  const { holiday, name } = useLoaderData<typeof loader>()
  const flash = useFlash<HolidayResult>(DONE)
  const result = useActionData<HolidayResult>() ?? flash
  const message = useTransient(result)
  const status = useFocusOnResult<HTMLDivElement>(message?.done && message)
  const busy = useSending()
  const explained = useId()
  return (
    <SettingsPage title="Holiday">
      <p id={explained}>
        While you are away, your pieces stay where they are, and nobody can add them to a cart or order them.
        Orders that you have already are not changed. Days are in UTC.
      </p>
      {holiday?.away && <AwayNotice name={name} away={holiday} />}
      {holiday && !holiday.away && <p>{`Your holiday begins on ${formatDate(holiday.from)}.`}</p>}
      {/* Remounted when the holiday has ended: its days and their errors are gone. */}
      <HolidayForm
        key={`${holiday?.from} ${holiday?.until}`}
        holiday={holiday}
        result={result}
        busy={busy}
        explained={explained}
      />
      <div role="status" tabIndex={-1} ref={status}>
        {message?.done && <p className="success">{message.done}</p>}
      </div>
    </SettingsPage>
  )
}

interface HolidayFormProps {
  holiday: Holiday | null
  result: HolidayResult | undefined
  busy: boolean
  /** Id of the text that says what a holiday does. */
  explained: string
}

function HolidayForm({ holiday, result, busy, explained }: HolidayFormProps) {
  const { errors, form } = useRules(validateHoliday, result?.fields)
  const { from = '', until = '', note = '' } = result?.typed ?? holiday ?? {}
  /** Ending it validates nothing. */
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    if ((submitter as HTMLButtonElement | null)?.value !== 'end') form.onSubmit(event)
  }
  return (
    <Form
      method="post"
      action="/settings/holiday"
      aria-describedby={explained}
      preventScrollReset
      {...form}
      onSubmit={onSubmit}
    >
      <AccountField typed={result?.typed?.account} />
      <Problems messages={result?.problems} />
      {result?.loginNeeded && <LoginNeeded />}
      <div className="pair">
        <TextField label="First day" type="date" name="from" defaultValue={from} error={errors.from} />
        <TextField label="Last day" type="date" name="until" defaultValue={until} error={errors.until} />
      </div>
      <TextAreaField
        label="Note"
        name="note"
        rows={3}
        hint={`For everybody who looks at your pieces, at most ${NOTE_LENGTH} characters`}
        limit={NOTE_LENGTH}
        defaultValue={note}
        error={errors.note}
      />
      <div className="actions">
        <SubmitButton busy={busy}>Save</SubmitButton>
        {holiday && (
          <SubmitButton className="button quiet" busy={busy} name="intent" value="end">
            {holiday.away ? 'End the holiday now' : 'Call the holiday off'}
          </SubmitButton>
        )}
      </div>
    </Form>
  )
}
