import { useLoaderData } from 'react-router'
import { Problems, TextField } from '#ui/fields.tsx'
import { EXPORT_PATH } from '../input-contract.ts'
import type { loader } from './sold.route.ts'

/** A file for spreadsheets. Not by the router: it is no page. */
export function SalesExport() {
  const { period } = useLoaderData<typeof loader>()
  return (
    <details className="export" open={period.problem !== undefined}>
      <summary className="link">Download as a table</summary>
      <form method="get" action={EXPORT_PATH}>
        <Problems messages={period.problem === undefined ? undefined : [period.problem]} />
        <div className="pair">
          <TextField label="From" name="from" type="date" defaultValue={period.from} required />
          <TextField label="To" name="to" type="date" defaultValue={period.to} required />
        </div>
        <p className="hint">All orders of these days, at most a year, as a CSV file.</p>
        <button className="button quiet" type="submit">
          Download
        </button>
      </form>
    </details>
  )
}
