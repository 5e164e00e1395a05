import { Link } from 'react-router'
import type { FieldErrors } from '#problem'
import { SelectField, TextField } from '#ui/fields.tsx'
import { type Handling, MAX_HANDLING_DAYS, USUAL_HANDLING_DAYS } from '../contract.ts'

/** A postage profile of the seller. */
interface Profile {
  id: number
  name: string
  is_default: boolean
}
/** What the form knows of delivery. */
export interface DeliveryOptions {
  profiles: Profile[]
  /** As saved; undefined for a new listing. */
  saved: Required<Handling> | undefined
}
interface Props extends DeliveryOptions {
  /** Typed values. */
  typed: Record<string, string> | undefined
  errors: FieldErrors
}

/** How a listing is sent. The default profile has no value, so that the listing follows it when another becomes the default. */
export function DeliveryFields({ profiles, saved, typed, errors }: Props) {
  const chosen = typed?.postage_profile_id ?? String(saved?.postage_profile_id ?? '')
  const isMade = typed ? typed.made_to_order === 'yes' : saved?.made_to_order
  const usual = profiles.find(({ is_default }) => is_default)
  const isKnown = chosen === '' || profiles.some(({ id }) => String(id) === chosen)
  return (
    <fieldset className="delivery-fields">
      <legend>Delivery</legend>
      <SelectField
        label="Postage"
        name="postage_profile_id"
        error={errors.postage_profile_id}
        defaultValue={chosen}
        hint={
          <>
            {'Prices and pick-up places are in your '}
            <Link to="/settings/postage">postage profiles</Link>
          </>
        }
      >
        <option value="">{usual ? `Default: ${usual.name}` : 'Default'}</option>
        {/* After the session has ended: nothing typed is lost. */}
        {!isKnown && <option value={chosen}>As chosen before</option>}
        {profiles.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <div className="pair">
        <SelectField
          label="How it is made"
          name="made_to_order"
          error={errors.made_to_order}
          defaultValue={isMade ? 'yes' : 'no'}
        >
          <option value="no">Made already</option>
          <option value="yes">Made to order</option>
        </SelectField>
        <TextField
          label="Days until it is ready"
          hint="At most, until you can send it"
          type="number"
          inputMode="numeric"
          step="1"
          min="1"
          max={MAX_HANDLING_DAYS}
          name="handling_days"
          error={errors.handling_days}
          defaultValue={typed?.handling_days ?? saved?.handling_days ?? USUAL_HANDLING_DAYS}
        />
      </div>
    </fieldset>
  )
}
