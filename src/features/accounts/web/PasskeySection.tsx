import type { ReactNode } from 'react'
import { Form } from 'react-router'
import { formatDate } from '#format-date'
import { Problems, TextField } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useHydrated } from '#ui/use-hydrated.ts'
import type { Passkey } from '../passkeys-contract.ts'
import { PasskeyProof } from './PasskeyProof.tsx'
import type { PasskeyResult } from './passkeyChanges.ts'
import { canUsePasskeys } from './person.ts'
import { useSession } from './session.ts'
import './passkeys.css'

interface Shared {
  result: PasskeyResult | undefined
  busy: boolean
}

/** The user's passkeys: add, rename, remove. Hidden from users without any, where the address does not allow passkeys. */
export function PasskeySection({ passkeys, result, busy }: Shared & { passkeys: Passkey[] }) {
  const { passkeys: available } = useSession()
  const done = result?.done
  const status = useFocusOnResult<HTMLParagraphElement>(done && result)
  if (!available && passkeys.length === 0) return null
  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">Your passkeys</h2>
      <p>
        A passkey logs you in with your fingerprint, your face or the PIN of your device, instead of your
        password.
      </p>
      <p className="success" role="status" tabIndex={-1} ref={status}>
        {done}
      </p>
      {passkeys.length > 0 && (
        <ul className="sessions passkeys">
          {passkeys.map(passkey => (
            <PasskeyItem
              // With its new name the forms are closed again.
              key={`${passkey.id} ${passkey.name}`}
              passkey={passkey}
              result={result}
              busy={busy}
            />
          ))}
        </ul>
      )}
      {available ? (
        <AddForm key={passkeys.length} isFirst={passkeys.length === 0} result={result} busy={busy} />
      ) : (
        <p>New passkeys cannot be added at this address of the shop.</p>
      )}
    </section>
  )
}

/** The result of one of the forms, if it was that one. */
const resultOf = (form: string, result: PasskeyResult | undefined) =>
  result?.form === form
    ? { errors: result.errors ?? {}, name: result.name }
    : { errors: {} as Record<string, string> }

function PasskeyItem({ passkey, result, busy }: Shared & { passkey: Passkey }) {
  const { id, name, added_at, used_at, synced } = passkey
  const renamed = resultOf(`rename-${id}`, result)
  const removed = resultOf(`remove-${id}`, result)
  const which = `${name}, added ${formatDate(added_at)}`
  return (
    <li>
      <div>
        <p className="device">{name}</p>
        <p className="when">{used_at ? `Last used ${formatDate(used_at)}` : 'Not used yet'}</p>
        <p className="when">
          {`Added ${formatDate(added_at)}${synced ? ', kept by a password manager' : ', on one device'}`}
        </p>
      </div>
      <ItemForm id={id} change="rename" label="Rename" which={which} result={result}>
        <Problems messages={renamed.errors.server ? [renamed.errors.server] : undefined} />
        <TextField
          label="New name"
          name="name"
          autoComplete="off"
          required
          maxLength={60}
          defaultValue={renamed.name ?? name}
          error={renamed.errors.name}
        />
        <SubmitButton className="button quiet" busy={busy} aria-label={`Save the name of ${which}`}>
          Save
        </SubmitButton>
      </ItemForm>
      <ItemForm id={id} change="remove" label="Remove" which={which} result={result}>
        <p className="hint">
          You stay logged in. Delete it in your device or password manager too, so that it is not offered any
          more.
        </p>
        <PasskeyProof
          errors={removed.errors}
          label="Current password, to remove it"
          button="Remove"
          which={which}
          busy={busy}
          isFirst={false}
        />
      </ItemForm>
    </li>
  )
}

interface ItemFormProps {
  id: number
  change: 'rename' | 'remove'
  label: string
  /** The passkey, for screen readers. */
  which: string
  result: PasskeyResult | undefined
  children: ReactNode
}

/** A form that changes one passkey, behind its summary; open if it was refused. */
const ItemForm = ({ id, change, label, which, result, children }: ItemFormProps) => (
  <details open={result?.form === `${change}-${id}`}>
    <summary className="link" aria-label={`${label} ${which}`}>
      {label}
    </summary>
    <Form method="post" action="/settings/security" preventScrollReset>
      <input type="hidden" name="intent" value={`passkey-${change}`} />
      <input type="hidden" name="id" value={id} />
      {children}
    </Form>
  </details>
)

function AddForm({ isFirst, result, busy }: Shared & { isFirst: boolean }) {
  const { errors, name } = resultOf('add', result)
  const hydrated = useHydrated()
  if (hydrated && !canUsePasskeys()) return <p>This browser cannot use passkeys. A newer one can.</p>
  return (
    <>
      <p className="without-scripts">
        Adding a passkey needs scripts: the browser itself has to ask your device.
      </p>
      <Form method="post" action="/settings/security" className="with-scripts" preventScrollReset>
        <h3>Add a passkey</h3>
        <input type="hidden" name="intent" value="passkey-add" />
        <TextField
          label="Name of the passkey"
          name="name"
          autoComplete="off"
          maxLength={60}
          hint="So that you recognize it. Left empty, it is called after this browser"
          defaultValue={name}
          error={errors.name}
        />
        <PasskeyProof
          errors={errors}
          label="Current password, to add it"
          button="Add a passkey"
          which={undefined}
          busy={busy}
          isFirst={isFirst}
        />
        <p className="hint" role="status">
          {busy ? 'Your browser may ask you for a fingerprint, your face or a PIN …' : undefined}
        </p>
      </Form>
    </>
  )
}
