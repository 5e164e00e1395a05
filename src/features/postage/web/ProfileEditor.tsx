import { type FormEvent, useLayoutEffect, useState } from 'react'
import { Form, Link, useSearchParams } from 'react-router'
import { AccountField } from '#accounts/web/AccountField.tsx'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { Problems, SelectField, TextField, useRules } from '#ui/fields.tsx'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useHydrated } from '#ui/use-hydrated.ts'
import { useSending } from '#ui/use-sending.ts'
import { MAX_PLACES, MAX_RATES, PROFILE_NAME_LENGTH, type Profile } from '../contract.ts'
import { CountryOptions } from './CountryOptions.tsx'
import { PlaceFields, RateFields } from './ProfileRows.tsx'
import { typedOf, validateProfile } from './parseProfile.ts'
import { changeRows, EDITED, editedAt, NEW, POSTAGE, type PostageResult } from './postageProfiles.route.ts'

/** The form with its rows. */
interface Rows {
  result: PostageResult | undefined
  /** It outlives the result, which is gone once the page loads its data again. */
  now: PostageResult | undefined
  /** Whether rows were added or removed since the form was sent. */
  isNewer: boolean
}

/** The form after a result, with the rows that were changed while it was sent. */
function newest(result: PostageResult | undefined, { now, isNewer }: Rows): PostageResult | undefined {
  if (!result?.typed || !now?.typed || !isNewer) return result ?? now
  const { rates, places } = now.typed
  return { ...result, typed: { ...result.typed, rates, places } }
}

/** The form of a new or existing profile. */
export function ProfileEditor({
  profile,
  result,
}: {
  profile: Profile | undefined
  result: PostageResult | undefined
}) {
  const hasConflict = profile !== undefined && result?.typed?.version === ''
  const busy = useSending({ needsNewVersion: hasConflict })
  const { errors, form } = useRules(validateProfile, result?.fields)
  const [saved] = useState(profile)
  const [opened] = useState(newIdempotencyKey)
  const [rows, setRows] = useState<Rows>({ result, now: result, isNewer: false })
  if (result !== rows.result) setRows({ result, now: newest(result, rows), isNewer: false })
  const { now } = rows
  const { version, name, from_country, rates, places } = now?.typed ?? typedOf(saved)
  // Not of the profile: after the session has ended that is unknown.
  const action = editedAt(useSearchParams()[0].get(EDITED) ?? NEW)
  const scripted = useHydrated()
  /** Without scripts the page is loaded again: it then begins at these rows. */
  const drawnAt = (part: string) => (scripted ? {} : { formAction: `${action}#${part}` })
  const { ref } = form
  // Before the next key press, since keyboard users continue from there.
  useLayoutEffect(() => {
    const focus = now?.focus
    if (!focus) return
    const control = ref.current?.elements.namedItem(focus) ?? document.getElementById(focus)
    if (control instanceof HTMLElement) control.focus()
  }, [now, ref])
  /** Only saving validates. With scripts, rows need no server. */
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    const changed = changeRows(new FormData(event.currentTarget, submitter))
    if (changed) {
      event.preventDefault()
      setRows({ ...rows, now: changed, isNewer: true })
      return
    }
    form.onSubmit(event)
    setRows({ ...rows, isNewer: false })
  }
  const ofAll = [errors.rates, errors.pickup_places].filter(error => error !== undefined)
  return (
    <Form method="post" action={action} preventScrollReset {...form} onSubmit={onSubmit}>
      {/* First, so that Enter saves. */}
      <SubmitButton className="" busy={busy} name="intent" value="save" hidden />
      <AccountField typed={now?.account} />
      <input type="hidden" name="version" value={version || (profile?.version ?? '')} />
      <input type="hidden" name="key" value={now?.key || opened} suppressHydrationWarning />
      <Problems messages={[...(result?.problems ?? []), ...ofAll]} />
      {result?.loginNeeded && <LoginNeeded />}
      <TextField
        label="Name"
        name="name"
        hint="Such as Letter or Large parcel"
        limit={PROFILE_NAME_LENGTH}
        defaultValue={name}
        error={errors.name}
      />
      <SelectField
        label="Sent from"
        name="from_country"
        defaultValue={from_country}
        error={errors.from_country}
      >
        <option value="">Not said</option>
        <CountryOptions />
      </SelectField>
      <h2 id="prices">Prices</h2>
      <p>
        For a country its own price counts, else that of the European Union, else that of everywhere else.
        Without any of them nothing is sent there. Of the pieces in one order the dearest first piece is
        charged once, all others as further pieces.
      </p>
      {rates.map((typed, index) => (
        <RateFields key={typed.row} typed={typed} number={index + 1} errors={errors} />
      ))}
      {rates.length < MAX_RATES && (
        <button
          id="add-rate"
          className="button quiet"
          type="submit"
          name="intent"
          value="add-rate"
          {...drawnAt('prices')}
        >
          + Add a price
        </button>
      )}
      <h2 id="places">Pick-up places</h2>
      <p>Where your pieces can be collected, free of charge and without an address.</p>
      {places.map((typed, index) => (
        <PlaceFields key={typed.row} typed={typed} number={index + 1} errors={errors} />
      ))}
      {places.length < MAX_PLACES && (
        <button
          id="add-place"
          className="button quiet"
          type="submit"
          name="intent"
          value="add-place"
          {...drawnAt('places')}
        >
          + Add a pick-up place
        </button>
      )}
      <div className="actions">
        <SubmitButton busy={busy} name="intent" value="save">
          Save
        </SubmitButton>
        <Link className="button quiet" to={POSTAGE}>
          Cancel
        </Link>
      </div>
    </Form>
  )
}
