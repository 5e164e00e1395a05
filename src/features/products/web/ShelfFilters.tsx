import { Form, Link } from 'react-router'
import { SelectField, TextField } from '#ui/fields.tsx'
import type { Shelf } from './shelfQuery.ts'
import { YOUR_LISTINGS } from './shelfQuery.ts'

/** Links to the listings for sale and to the retired ones. */
export function ShelfTabs({ state }: Pick<Shelf, 'state'>) {
  const current = (isCurrent: boolean) => (isCurrent ? 'page' : undefined)
  return (
    <nav className="shelf-tabs" aria-label="Your listings">
      <ul>
        <li>
          <Link to={YOUR_LISTINGS} aria-current={current(state === 'listed')}>
            Listed
          </Link>
        </li>
        <li>
          <Link to={`${YOUR_LISTINGS}?state=retired`} aria-current={current(state === 'retired')}>
            Retired
          </Link>
        </li>
      </ul>
    </nav>
  )
}

const sortNames: Record<Shelf['sort'], string> = {
  newest: 'Newest first',
  stock: 'Fewest in stock first',
  price_asc: 'Lowest price first',
  price_desc: 'Highest price first',
}

/** Name, sold out, and order of the listings. */
export function ShelfFilters({ shelf }: { shelf: Shelf }) {
  const { state, q, soldOut, sort } = shelf
  return (
    <Form
      method="get"
      action={YOUR_LISTINGS}
      className="search-form choices"
      role="search"
      aria-label="Your listings"
      key={JSON.stringify(shelf)}
    >
      {state === 'retired' && <input type="hidden" name="state" value={state} />}
      <TextField label="Name of the piece" name="q" type="search" defaultValue={q} maxLength={100} />
      <SelectField label="Sort by" name="sort" defaultValue={sort}>
        {Object.entries(sortNames).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </SelectField>
      <label className="tick">
        <input type="checkbox" name="sold_out" value="true" defaultChecked={soldOut} />
        Sold out only
      </label>
      <button className="button quiet" type="submit">
        Show
      </button>
    </Form>
  )
}
