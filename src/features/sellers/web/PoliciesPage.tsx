import { type FormEvent, useEffect, useRef } from 'react'
import { Form, Link, useActionData, useLoaderData } from 'react-router'
import { AccountField } from '#accounts/web/AccountField.tsx'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { shopPath } from '#accounts/web/MakerLink.tsx'
import { SettingsPage } from '#accounts/web/SettingsPage.tsx'
import { ALT_LENGTH } from '#images/contract.ts'
import { PictureField } from '#images/web/PictureField.tsx'
import { Problems, TextAreaField, TextField, useRules } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import { useTransient } from '#ui/use-transient.ts'
import { POLICY_LENGTH } from '../shop-page-contract.ts'
import { Banner } from './Banner.tsx'
import type { SettingsResult } from './pictureForm.ts'
import { DONE, type loader, validatePolicies } from './policies.route.ts'
import './shop.css'

/** The form of the wide photo above a maker's page, how they are reached, and their policies. */
export function Page() {
  const page = useLoaderData<typeof loader>()
  const flash = useFlash<SettingsResult>(DONE)
  const result = useActionData<SettingsResult>() ?? flash
  const message = useTransient(result)
  const busy = useSending()
  const { errors, form } = useRules(validatePolicies, result?.fields)
  const banner = page?.banner ?? null
  const alt = { banner_alt: banner?.alt }
  // A removed photo takes its alt text with it.
  const first: Record<string, unknown> = { ...page, ...alt, ...result?.typed, ...(result?.done ? alt : {}) }
  const takesMessages = result?.typed?.takes_messages ?? (page?.takes_messages === false ? 'no' : 'yes')
  const chooser = useRef<HTMLInputElement>(null)
  // The button that removed the photo is gone, with the focus.
  useEffect(() => {
    const lost = document.activeElement === document.body
    if (result?.done && !banner && lost) chooser.current?.focus()
  }, [result, banner])
  /** Removing the photo does not validate the text. */
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    if ((submitter as HTMLButtonElement | null)?.value !== 'remove') form.onSubmit(event)
  }
  const field = (name: string) => ({
    name,
    defaultValue: String(first[name] ?? ''),
    error: errors[name],
    dir: 'auto',
  })
  const policy = (name: string) => ({ ...field(name), rows: 4, limit: POLICY_LENGTH })
  return (
    <SettingsPage title="Photo and policies">
      {page && (
        <p>
          All of it is up to you, and stands on <Link to={shopPath(page.username)}>your page</Link>: what you
          leave empty is not shown.
        </p>
      )}
      <Form
        method="post"
        action="/settings/policies"
        encType="multipart/form-data"
        preventScrollReset
        {...form}
        onSubmit={onSubmit}
      >
        <AccountField typed={result?.typed?.account} />
        <Problems messages={result?.problems} />
        {result?.loginNeeded && <LoginNeeded />}
        {banner && <Banner image={banner} />}
        {/* Remounted after each saved photo. */}
        <PictureField
          key={banner?.id}
          label="Wide photo above your page"
          ref={chooser}
          error={errors.image ?? (result?.photoLost ? 'Please choose your photo again' : undefined)}
        />
        <TextField
          key={`alt-${banner?.id}`}
          label="What the photo shows"
          hint="For people who cannot see it. Leave it empty if it is decoration."
          limit={ALT_LENGTH}
          {...field('banner_alt')}
        />
        <h2>How people reach you</h2>
        <p>Everybody can read this on your page, without an account.</p>
        <TextField label="Email" type="email" {...field('contact_email')} />
        <TextField label="Phone" type="tel" {...field('contact_phone')} />
        <div className="choices">
          <label className="tick">
            {/* Sent first: the last value counts. */}
            <input type="hidden" name="takes_messages" value="no" />
            <input
              type="checkbox"
              name="takes_messages"
              value="yes"
              defaultChecked={takesMessages === 'yes'}
              aria-describedby="takes-messages"
            />
            People can write to me here
          </label>
          <p className="hint" id="takes-messages">
            They need an account, and you read it under <Link to="/messages">Messages</Link>. Conversations
            that have begun go on, until you stop them.
          </p>
        </div>
        <h2>How you do things</h2>
        <p>What the law gives your shoppers stays theirs, whatever you say here.</p>
        <TextAreaField label="Returns" {...policy('returns')} />
        <TextAreaField
          label="Custom orders"
          hint="Whether you make pieces as people wish, and how they ask"
          {...policy('custom_orders')}
        />
        <TextAreaField label="Care" hint="How what you make is washed, oiled, kept" {...policy('care')} />
        <div className="actions">
          <SubmitButton busy={busy}>Save</SubmitButton>
          {banner && (
            <SubmitButton className="button quiet" busy={busy} name="intent" value="remove">
              Remove photo
            </SubmitButton>
          )}
          <div role="status">{message?.done && <p className="success">{message.done}</p>}</div>
        </div>
      </Form>
    </SettingsPage>
  )
}
