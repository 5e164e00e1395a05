import type { ReactNode } from 'react'
import { Form, Link, useNavigation, useSearchParams } from 'react-router'
import { Empty } from '#ui/Empty.tsx'
import { TextField } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { OPERATE } from './operate.route.ts'

/** Rows of a page, or that there are none. */
export function List<R extends { id: number }>({
  rows,
  children,
}: {
  rows: R[]
  children: (row: R) => ReactNode
}) {
  if (rows.length === 0) return <Empty drawing="wool" text="Nothing found" />
  return (
    <ul className="rows">
      {rows.map(row => (
        <li key={row.id}>{children(row)}</li>
      ))}
    </ul>
  )
}

interface SearchProps {
  part: string
  label: string
  /** Query parameter and name of a filter. */
  flag?: [name: string, label: string]
}

/** Finds rows by words, and filters them. */
export function Search({ part, label, flag }: SearchProps) {
  const query = useSearchParams()[0]
  const busy = useNavigation().state !== 'idle'
  const typed = query.get('q') ?? ''
  const isOn = flag !== undefined && query.has(flag[0])
  return (
    <Form
      method="get"
      action={`${OPERATE}/${part}`}
      className="search-form choices"
      role="search"
      key={`${typed} ${isOn}`}
    >
      <TextField label={label} name="q" type="search" defaultValue={typed} maxLength={100} />
      {flag && (
        <label className="tick">
          <input type="checkbox" name={flag[0]} defaultChecked={isOn} />
          {flag[1]}
        </label>
      )}
      <div className="actions">
        <SubmitButton className="button quiet" busy={busy}>
          Show
        </SubmitButton>
        {(typed !== '' || isOn) && <Link to={`${OPERATE}/${part}`}>Show all</Link>}
      </div>
    </Form>
  )
}
