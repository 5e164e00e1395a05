import { useState } from 'react'
import { Form, Link, useActionData, useLoaderData } from 'react-router'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { SettingsPage } from '#accounts/web/SettingsPage.tsx'
import { Problems } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useSending } from '#ui/use-sending.ts'
import { type Address, MAX_ADDRESSES, TOO_MANY } from '../contract.ts'
import { postalHint } from '../postal-codes.ts'
import { AddressForm } from './AddressForm.tsx'
import { AddressLines } from './AddressLines.tsx'
import { type AddressResult, addressesAt, DONE, type loader } from './addresses.route.ts'
import './addresses.css'

/** The user's addresses with a form for a new one; or the form of one of them. */
export function Page() {
  const { addresses, editingId, editing, next, isDemo } = useLoaderData<typeof loader>()
  const sent = useActionData<AddressResult>()
  const flash = useFlash<AddressResult>(DONE)
  const result = sent ?? flash
  const status = useFocusOnResult<HTMLParagraphElement>(result?.done && result)
  // A new form after each saved address. A deletion leaves it, with what is typed there.
  const [saved, setSaved] = useState(sent?.saved)
  if (sent?.saved && sent.saved !== saved) setSaved(sent.saved)
  if (editingId !== undefined)
    return (
      <SettingsPage title="Change an address">
        <p className="hint">Orders that are placed already keep the address that they have.</p>
        <AddressForm
          // Other than the key of the form on the list.
          key={`change ${editingId}`}
          address={editing}
          action={addressesAt(next, editingId)}
          submit="Save"
          result={sent}
        >
          <Link className="button quiet" to={addressesAt(next)}>
            Back to your addresses
          </Link>
        </AddressForm>
      </SettingsPage>
    )
  return (
    <SettingsPage title="Addresses">
      <p>Where your orders are sent. Only the makers of your orders get the address, each with the order.</p>
      {isDemo && (
        <p className="demo-note">
          The demo account is everybody’s, and everybody can read what you save here. Please invent an
          address.
        </p>
      )}
      {next && (
        <p className="actions">
          <Link className="button quiet" to={next}>
            {/^\/cart\b/.test(next) ? 'Back to your cart' : 'Back to where you were'}
          </Link>
        </p>
      )}
      <p className="success" role="status" tabIndex={-1} ref={status}>
        {result?.done}
      </p>
      {addresses.length > 0 && (
        <ul className="addresses">
          {addresses.map(address => (
            <Item key={address.id} address={address} next={next} />
          ))}
        </ul>
      )}
      <h2 id="add">Add an address</h2>
      {addresses.length >= MAX_ADDRESSES && !sent?.typed ? (
        <>
          <Problems messages={sent?.problems} />
          {sent?.loginNeeded && <LoginNeeded />}
          <p>{`${TOO_MANY}.`}</p>
        </>
      ) : (
        <AddressForm
          key={saved}
          action={addressesAt(next)}
          submit={next ? 'Save and continue' : 'Save'}
          result={sent}
        />
      )}
    </SettingsPage>
  )
}

function Item({ address, next }: { address: Address; next: string | undefined }) {
  const busy = useSending()
  const { id, name, line1, country, postal_code } = address
  const hint = postalHint(country, postal_code)
  const which = `${name}, ${line1}`
  return (
    <li>
      <AddressLines address={address} />
      {hint && <p className="hint">{hint}</p>}
      <p>
        <Link className="link" to={addressesAt(next, id)} aria-label={`Change the address ${which}`}>
          Change
        </Link>
      </p>
      <details>
        <summary className="link" aria-label={`Delete the address ${which}`}>
          Delete
        </summary>
        <Form method="post" action={addressesAt(next)} preventScrollReset>
          <input type="hidden" name="id" value={id} />
          <p className="hint">Orders that are placed already keep it.</p>
          <SubmitButton
            className="button quiet"
            busy={busy}
            name="intent"
            value="delete"
            aria-label={`Yes, delete it: ${which}`}
          >
            Yes, delete it
          </SubmitButton>
        </Form>
      </details>
    </li>
  )
}
