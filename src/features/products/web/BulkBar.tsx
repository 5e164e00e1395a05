import { type ChangeEvent, useId } from 'react'
import { Form } from 'react-router'
import { SelectField } from '#ui/fields.tsx'
import { useHydrated } from '#ui/use-hydrated.ts'
import type { Change } from '../bulk-contract.ts'
import { isNarrowed, type Shelf } from './shelfQuery.ts'

/** Id of the form that the ticks of the listings belong to. */
export const BULK = 'bulk'
export const CHANGE_LISTINGS = '/your-listings/change'

/** Each change in words. */
export const changeNames: Record<Change, string> = {
  price_percent: 'Change the price by percent',
  price_amount: 'Change the price by an amount',
  price_set: 'Set the price',
  stock_add: 'Add pieces to the stock',
  stock_set: 'Set the stock',
  section: 'Choose the section',
  tags_add: 'Add tags',
  tags_remove: 'Remove tags',
  retire: 'Retire',
  restore: 'Bring back',
}

/**
 * Chooses a change of the ticked listings, or of all that match. Nothing is changed before its preview. Retired ones can only be
 * brought back.
 */
export function BulkBar({ shelf }: { shelf: Shelf }) {
  const title = useId()
  const { q, soldOut } = shelf
  const isRetired = shelf.state === 'retired'
  const all = isRetired ? 'All that are retired' : 'All of your listings'
  return (
    <Form id={BULK} method="get" action={CHANGE_LISTINGS} className="bulk choices" aria-labelledby={title}>
      <p id={title} className="bulk-title">
        {titleOf(isRetired)}
      </p>
      {q !== '' && <input type="hidden" name="q" value={q} />}
      {soldOut && <input type="hidden" name="sold_out" value="true" />}
      <label className="tick">
        <input type="checkbox" name="all" value="yes" />
        {`${isNarrowed(shelf) ? 'All that match' : all}, also on other pages`}
      </label>
      {isRetired ? (
        <input type="hidden" name="change" value="restore" />
      ) : (
        <SelectField label="What to change" name="change">
          {Object.entries(changeNames).map(
            ([change, name]) =>
              change !== 'restore' && (
                <option key={change} value={change}>
                  {name}
                </option>
              ),
          )}
        </SelectField>
      )}
      <button className="button quiet" type="submit">
        Next
      </button>
    </Form>
  )
}

const titleOf = (isRetired: boolean) => (isRetired ? 'Bring many back at once' : 'Change many at once')

/** Ticks all listings of the page, with scripts; and a link past them to the form. */
export function TickAll({ isRetired }: { isRetired: boolean }) {
  const isHydrated = useHydrated()
  const tick = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const { elements } = document.getElementById(BULK) as HTMLFormElement
    for (const element of elements)
      if (element instanceof HTMLInputElement && element.name === 'ids')
        element.checked = currentTarget.checked
  }
  return (
    <div className="tick-all choices">
      <label className="tick scripted">
        <input type="checkbox" onChange={tick} disabled={!isHydrated} />
        Choose all on this page
      </label>
      <a className="alone" href={`#${BULK}`}>
        {titleOf(isRetired)}
      </a>
    </div>
  )
}
