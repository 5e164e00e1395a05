import { type FormEvent, useEffect, useRef } from 'react'
import { Form, Link, useActionData, useLoaderData } from 'react-router'
import { AccountField } from '#accounts/web/AccountField.tsx'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { shopPath } from '#accounts/web/MakerLink.tsx'
import { SettingsPage } from '#accounts/web/SettingsPage.tsx'
import { PictureField } from '#images/web/PictureField.tsx'
import { Problems, TextAreaField, TextField, useRules } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import { useTransient } from '#ui/use-transient.ts'
import { PLACE_LENGTH, WORDS_LENGTH } from '../contract.ts'
import { NameFields } from './NameFields.tsx'
import { Portrait } from './Portrait.tsx'
import type { SettingsResult } from './pictureForm.ts'
import { DONE, type loader, validateShop } from './shopSettings.route.ts'
import './shop.css'

/** The form of a seller's profile. */
export function Page() {
  const shop = useLoaderData<typeof loader>()
  const flash = useFlash<SettingsResult>(DONE)
  const result = useActionData<SettingsResult>() ?? flash
  const message = useTransient(result)
  const busy = useSending()
  const { errors, form } = useRules(validateShop, result?.fields)
  const first = { ...shop, ...result?.typed }
  const picture = shop?.picture?.id
  const field = useRef<HTMLInputElement>(null)
  // The button that removed the picture is gone, with the focus.
  useEffect(() => {
    const lost = document.activeElement === document.body
    if (result?.done && picture === undefined && lost) field.current?.focus()
  }, [result, picture])
  /** Removing the picture does not validate the text. */
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    if ((submitter as HTMLButtonElement | null)?.value !== 'remove') form.onSubmit(event)
  }
  return (
    <SettingsPage title="Your shop page">
      {shop && (
        <p>
          What you say here stands on <Link to={shopPath(shop.username)}>your page</Link>, above what you
          make. The wide photo above it and what you say of returns are in{' '}
          <Link to="/settings/policies">Photo and policies</Link>.
        </p>
      )}
      <Form method="post" encType="multipart/form-data" preventScrollReset {...form} onSubmit={onSubmit}>
        <AccountField typed={result?.typed?.account} />
        <Problems messages={result?.problems} />
        {result?.loginNeeded && <LoginNeeded />}
        <NameFields shop={shop} typed={result?.typed} error={errors.name} />
        <TextAreaField
          label="About you"
          name="words"
          rows={6}
          hint={`At most ${WORDS_LENGTH} characters`}
          limit={WORDS_LENGTH}
          defaultValue={first.words}
          error={errors.words}
        />
        <TextField
          label="Where you are"
          name="place"
          hint={`As exactly as you like, at most ${PLACE_LENGTH} characters`}
          limit={PLACE_LENGTH}
          defaultValue={first.place}
          error={errors.place}
        />
        <div className="portrait-field">
          {shop && <Portrait picture={shop.picture} name={shop.name || shop.username} eager />}
          {/* Remounted after each saved picture. */}
          <PictureField
            key={picture}
            label="Picture"
            ref={field}
            error={errors.image ?? (result?.photoLost ? 'Please choose your picture again' : undefined)}
          />
        </div>
        <div className="actions">
          <SubmitButton busy={busy}>Save</SubmitButton>
          {shop?.picture && (
            <SubmitButton className="button quiet" busy={busy} name="intent" value="remove">
              Remove picture
            </SubmitButton>
          )}
          <div role="status">{message?.done && <p className="success">{message.done}</p>}</div>
        </div>
      </Form>
    </SettingsPage>
  )
}
