import { Form, useActionData, useLoaderData } from 'react-router'
import type { Image } from '#images/contract.ts'
import { PictureField } from '#images/web/PictureField.tsx'
import type { FieldErrors } from '#problem'
import {
  BRAND_LENGTHS,
  BRAND_REASON_LENGTH,
  type BrandPicture,
  MAX_MEMBERS,
  MEMBER_LENGTHS,
  type Member,
} from '#site/brand-contract.ts'
import { Problems, TextAreaField, TextField, useRules } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useFormBase } from '#ui/use-form-base.ts'
import { useSending } from '#ui/use-sending.ts'
import { type BrandResult, type BrandTexts, DONE, type loader, validateBrand } from './brand.route.ts'
import { COLOURS, Differences, LABELS } from './brandFields.tsx'
import { Navigation } from './OperatePage.tsx'
import { LOGGED } from './OperateRows.tsx'
import { StillOpen } from './StillOpen.tsx'
import '#ui/sidebar.css'
import './brand.css'
import './operate.css'

/** The reason that a new shop suggests. */
const FIRST_REASON = 'Setting up the shop'

/** Name and look of the shop, for operators. */
export function Page() {
  const saved = useLoaderData<typeof loader>()
  const begun = useFormBase(saved)
  const flash = useFlash<BrandResult>(DONE)
  const result = useActionData<BrandResult>() ?? flash
  const status = useFocusOnResult<HTMLParagraphElement>(result?.done && result)
  const shown = result?.typed ?? saved
  // Optimistic locking: until the version conflict is shown, the form keeps the version that it was filled from.
  const version = result?.typed && !result.changed ? result.version : begun?.version
  return (
    <div className="operate sidebar-page">
      {saved && <Navigation />}
      <section>
        <h1>Name and look</h1>
        <p className="success" role="status" tabIndex={-1} ref={status}>
          {result?.done}
        </p>
        <Problems messages={result?.problems} />
        {result?.closed && <StillOpen />}
        {result?.changed && result.typed && saved && <Differences saved={saved} typed={result.typed} />}
        {shown && (
          <BrandForm
            shown={shown}
            reason={result?.typed?.reason ?? (saved?.saved ? '' : FIRST_REASON)}
            version={version}
            pictures={{ logo: saved?.logo ?? null, hero: saved?.hero ?? null }}
            fields={result?.fields}
            photosLost={result?.photosLost ?? false}
            removed={result?.removed ?? []}
          />
        )}
      </section>
    </div>
  )
}

interface FormProps {
  shown: BrandTexts
  /** Why it is changed: what was typed, or a suggestion. */
  reason: string
  /** The version that the form is based on. */
  version: number | string | undefined
  pictures: { logo: Image | null; hero: Image | null }
  fields: FieldErrors | undefined
  photosLost: boolean
  /** Pictures whose removal is ticked. */
  removed: BrandPicture[]
}

function BrandForm({ shown, reason, version, pictures, fields, photosLost, removed }: FormProps) {
  const busy = useSending({ needsNewVersion: true })
  const { errors, form } = useRules(validateBrand, fields)
  const text = (name: keyof typeof BRAND_LENGTHS) => ({
    label: LABELS[name],
    name,
    limit: BRAND_LENGTHS[name],
    defaultValue: shown[name],
    error: errors[name],
    dir: 'auto' as const,
  })
  const lost = photosLost ? 'Please choose your pictures again' : undefined
  const picture = (name: BrandPicture) => ({
    name,
    picture: pictures[name],
    error: errors[name] ?? lost,
    isRemoved: removed.includes(name),
  })
  return (
    <Form method="post" encType="multipart/form-data" className="brand-form" preventScrollReset {...form}>
      <input type="hidden" name="version" value={version ?? ''} />
      <fieldset>
        <legend>Name</legend>
        <TextField {...text('name')} hint="Makers cannot name their shop like it" />
        <TextField {...text('short_name')} hint="For phones and icons" />
        <TextField {...text('tagline')} hint="Below the welcome on the front page" />
        <TextAreaField
          {...text('description')}
          rows={3}
          hint="One sentence on the front page, and what search engines show"
        />
      </fieldset>
      <Team team={shown.team} error={errors.team} />
      <fieldset>
        <legend>Logo and colours</legend>
        <BrandPictureField label="Logo" {...picture('logo')} />
        <p className="hint">
          Icons, share pictures and letters follow. Text in these colours must be easy to read.
        </p>
        {COLOURS.map(name => (
          <TextField
            key={name}
            label={LABELS[name]}
            name={name}
            type="color"
            defaultValue={shown[name]}
            error={errors[name]}
          />
        ))}
      </fieldset>
      <fieldset>
        <legend>Front page</legend>
        <BrandPictureField label="Picture" {...picture('hero')} />
        <p className="hint">Without one, photos of well rated new pieces stand there.</p>
        <TextField {...text('hero_caption')} />
        <TextField {...text('hero_link')} hint="An address of this shop, such as /products/7" />
      </fieldset>
      <TextField
        label="Reason"
        name="reason"
        limit={BRAND_REASON_LENGTH}
        defaultValue={reason}
        error={errors.reason}
        hint={LOGGED}
        dir="auto"
      />
      <SubmitButton busy={busy}>Save</SubmitButton>
    </Form>
  )
}

const MEMBER_FIELDS = [
  ['name', 'Name', 'text'],
  ['role', 'Role', 'text'],
  ['profile', 'Web address', 'url'],
] as const

/** Rows for new people. */
const EMPTY_ROWS = 2

function Team({ team, error }: { team: Member[]; error: string | undefined }) {
  const rows = Math.min(MAX_MEMBERS, team.length + EMPTY_ROWS)
  return (
    <fieldset aria-describedby={error && 'team-error'}>
      <legend>The team, below every page</legend>
      <p className="hint">Leave a name empty to leave somebody out. After saving there is room for more.</p>
      {error && (
        <p className="error" id="team-error" role="alert">
          {error}
        </p>
      )}
      {Array.from({ length: rows }, (_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are never moved
        <div className="member" key={n}>
          {MEMBER_FIELDS.map(([field, label, type]) => (
            <TextField
              key={field}
              label={`${label} of person ${n + 1}`}
              name={`member_${field}`}
              type={type}
              defaultValue={team[n]?.[field]}
              maxLength={MEMBER_LENGTHS[field]}
              dir="auto"
            />
          ))}
        </div>
      ))}
    </fieldset>
  )
}

interface PictureProps {
  name: BrandPicture
  label: string
  picture: Image | null
  error: string | undefined
  /** Whether its removal is ticked at first. */
  isRemoved: boolean
}

const BrandPictureField = ({ name, label, picture, error, isRemoved }: PictureProps) => (
  <div className="brand-picture">
    {picture && <img src={picture.url} srcSet={picture.srcset} sizes="8rem" alt="" />}
    <PictureField label={label} name={name} error={error} />
    {picture && (
      <p className="choices">
        <label className="tick">
          <input type="checkbox" name={`remove_${name}`} defaultChecked={isRemoved} />
          {`Remove the ${label.toLowerCase()}`}
        </label>
      </p>
    )}
  </div>
)
