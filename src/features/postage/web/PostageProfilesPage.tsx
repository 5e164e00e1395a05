import { Form, Link, useActionData, useLoaderData, useLocation } from 'react-router'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { SettingsPage } from '#accounts/web/SettingsPage.tsx'
import { countryName } from '#addresses/countries.ts'
import { Problems } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useSending } from '#ui/use-sending.ts'
import { useTransient } from '#ui/use-transient.ts'
import { MAX_PROFILES, type Profile } from '../contract.ts'
import { PickupList } from './PickupList.tsx'
import { ProfileEditor } from './ProfileEditor.tsx'
import { DONE, editedAt, type loader, NEW, POSTAGE, type PostageResult } from './postageProfiles.route.ts'
import { RateTable } from './RateTable.tsx'
import './postage.css'

/** A seller's postage profiles, or the form of one of them. */
export function Page() {
  const { profiles, edited } = useLoaderData<typeof loader>()
  const flash = useFlash<PostageResult>(DONE)
  const result = useActionData<PostageResult>()
  const { search } = useLocation()
  const message = useTransient(result ?? flash)
  const status = useFocusOnResult<HTMLDivElement>(message?.done && message)
  if (edited !== null)
    return (
      <SettingsPage title={edited ? edited.name : 'A postage profile'}>
        <ProfileEditor key={search} profile={edited} result={result} />
      </SettingsPage>
    )
  return (
    <SettingsPage title="Postage">
      <p>
        A profile says what sending your pieces costs, how long it takes, and where they can be collected.
        Each of your listings has one of them.
      </p>
      <div role="status" tabIndex={-1} ref={status}>
        {message?.done && <p className="success">{message.done}</p>}
      </div>
      <Problems messages={result?.problems} />
      {result?.loginNeeded && <LoginNeeded />}
      {profiles.map(profile => (
        <ProfileCard key={profile.id} profile={profile} />
      ))}
      {profiles.length < MAX_PROFILES && (
        <p>
          <Link className="button" to={editedAt(NEW)}>
            + Add a postage profile
          </Link>
        </p>
      )}
    </SettingsPage>
  )
}

function ProfileCard({ profile }: { profile: Profile }) {
  const { id, name, is_default, from_country, rates, pickup_places } = profile
  const titleId = `profile-${id}`
  return (
    <section className="profile-card" aria-labelledby={titleId}>
      <h2 id={titleId} dir="auto">
        {name}
      </h2>
      {is_default && (
        <p>
          <span className="default">Default</span>
        </p>
      )}
      {from_country && <p suppressHydrationWarning>{`Sent from ${countryName(from_country)}`}</p>}
      {rates.length > 0 ? <RateTable rates={rates} /> : <p>Not sent by post.</p>}
      {pickup_places.length > 0 && (
        <>
          <h3>Collected at</h3>
          <PickupList places={pickup_places} />
        </>
      )}
      <ProfileActions profile={profile} />
    </section>
  )
}

const listingsText = (count: number) => (count === 1 ? '1 listing has' : `${count} listings have`)

function ProfileActions({ profile: { id, name, is_default, listings } }: { profile: Profile }) {
  const busy = useSending()
  return (
    <>
      <div className="actions">
        <Link className="button quiet" to={editedAt(id)} aria-label={`Edit ${name}`}>
          Edit
        </Link>
        {!is_default && (
          <Form method="post" action={POSTAGE} preventScrollReset>
            <input type="hidden" name="id" value={id} />
            <SubmitButton
              className="button quiet"
              busy={busy}
              name="intent"
              value="default"
              aria-label={`Make default: ${name}`}
            >
              Make default
            </SubmitButton>
          </Form>
        )}
      </div>
      {!is_default && (
        <details>
          <summary aria-label={`Delete ${name}`}>Delete</summary>
          <Form method="post" action={POSTAGE}>
            <p>
              {listings > 0
                ? `${listingsText(listings)} this profile. They get your default one.`
                : 'No listing has this profile.'}
            </p>
            <input type="hidden" name="id" value={id} />
            <SubmitButton className="button danger" busy={busy} name="intent" value="delete">
              Delete this profile
            </SubmitButton>
          </Form>
        </details>
      )}
    </>
  )
}
