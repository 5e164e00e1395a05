import { useEffect, useRef } from 'react'
import { Form, Link, useActionData, useLoaderData, useLocation, useNavigationType } from 'react-router'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { Problems, SelectField, TextField } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import type { BulkResult, Change } from '../bulk-contract.ts'
import { CHANGE_LISTINGS, changeNames } from './BulkBar.tsx'
import { ChangePreview } from './ChangePreview.tsx'
import { type ChangeResult, type loader, needsNoValue } from './changeListings.route.ts'
import { seenText } from './seen.ts'
import { YOUR_LISTINGS } from './shelfQuery.ts'
import './changeListings.css'

/** One change of many listings: what to change, then each of them before and after. */
export function Page() {
  const { change, preview, problems } = useLoaderData<typeof loader>()
  const result = useActionData<ChangeResult>()
  return (
    <section className="change-listings">
      <p>
        <Link className="alone" to={YOUR_LISTINGS}>
          Back to Your Listings
        </Link>
      </p>
      <h1>{changeNames[change]}</h1>
      {result?.results ? (
        <Results results={result.results} />
      ) : result?.sent ? (
        <Again result={result} sent={result.sent} />
      ) : (
        <>
          <Problems messages={problems} />
          {!needsNoValue(change) && <Value />}
          {preview && <ChangePreview change={change} preview={preview} yes={<Yes />} />}
        </>
      )}
    </section>
  )
}

/** The query of the chosen listings: hidden controls. */
function Chosen({ without }: { without: string[] }) {
  const query = [...new URLSearchParams(useLocation().search)].filter(([name]) => !without.includes(name))
  return query.map(([name, value]) => (
    <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
  ))
}

/** The control for what is to be set, added or removed. */
function Value() {
  const { change, typed, fields, sections } = useLoaderData<typeof loader>()
  const form = useRef<HTMLFormElement>(null)
  const shown = useRef(typed)
  const navigation = useNavigationType()
  // After Back the preview is of another value than the one typed last.
  useEffect(() => {
    if (shown.current === typed) return
    shown.current = typed
    if (navigation !== 'POP') return
    for (const [name, value] of Object.entries(typed)) {
      const control = form.current?.elements.namedItem(name)
      if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) control.value = value
    }
  }, [typed, navigation])
  const common = { error: fields.amount, name: 'amount', defaultValue: typed.amount, required: true }
  const controls = {
    price_set: <TextField {...common} label="New price in dollars" unit="$" inputMode="decimal" />,
    price_percent: <TextField {...common} label="Percent" hint="Such as 10, or -10 to lower it" />,
    price_amount: (
      <TextField {...common} label="Amount in dollars" unit="$" hint="Such as 2.50, or -2.50 to lower it" />
    ),
    stock_set: <TextField {...common} label="New stock" inputMode="numeric" />,
    stock_add: <TextField {...common} label="Pieces to add" inputMode="numeric" />,
    section: (
      <SelectField
        label="Section"
        name="section_id"
        error={fields.section_id}
        defaultValue={typed.section_id ?? ''}
      >
        <option value="">No section</option>
        {sections.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    ),
    tags_add: <Tags />,
    tags_remove: <Tags />,
    retire: null,
    restore: null,
  }
  return (
    <Form method="get" action={CHANGE_LISTINGS} className="value" preventScrollReset ref={form}>
      <Chosen without={['amount', 'tags', 'section_id']} />
      {controls[change]}
      <button className="button quiet" type="submit">
        Show what would change
      </button>
    </Form>
  )
}

function Tags() {
  const { typed, fields } = useLoaderData<typeof loader>()
  return (
    <TextField
      label="Tags"
      name="tags"
      hint="Separate them by commas"
      error={fields.tags}
      defaultValue={typed.tags}
      dir="auto"
      required
    />
  )
}

const yesWords: Partial<Record<Change, string>> = { retire: 'retire', restore: 'bring back' }

/** Makes the change for the listings of the preview that are not refused. */
function Yes() {
  const { change, preview, typed, key } = useLoaderData<typeof loader>()
  const { search } = useLocation()
  const busy = useSending()
  const rows = (preview?.rows ?? []).flatMap(({ id, version, before, after }) =>
    version !== null && before && after ? [{ ...before, id, version }] : [],
  )
  const pieces = rows.length === 1 ? '1 piece' : `${rows.length} pieces`
  return (
    <div className="actions">
      {rows.length > 0 && (
        <Form method="post" action={CHANGE_LISTINGS + search}>
          <input type="hidden" name="key" value={key} suppressHydrationWarning />
          <input type="hidden" name="change" value={change} />
          {Object.entries(typed).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {rows.map(row => (
            <input key={row.id} type="hidden" name="row" value={seenText(row)} />
          ))}
          <SubmitButton busy={busy}>{`Yes, ${yesWords[change] ?? 'change'} ${pieces}`}</SubmitButton>
        </Form>
      )}
      <Link className="button quiet" to={YOUR_LISTINGS}>
        {rows.length > 0 ? 'No, change nothing' : 'Back'}
      </Link>
    </div>
  )
}

/** The result for each listing, if some were refused. */
function Results({ results }: { results: BulkResult['results'] }) {
  const refused = results.filter(({ done }) => !done)
  const query = new URLSearchParams(useLocation().search)
  query.delete('all')
  query.delete('ids')
  for (const { id } of refused) query.append('ids', String(id))
  const done = results.length - refused.length
  return (
    <>
      <div role="status">
        {done > 0 && (
          <p className="success">{done === 1 ? '1 piece is changed' : `${done} pieces are changed`}</p>
        )}
      </div>
      <Problems messages={refused.map(({ id, name, message }) => `${name ?? `Listing ${id}`}: ${message}`)} />
      <p>
        <Link className="button quiet" to={`${CHANGE_LISTINGS}?${query}`} reloadDocument>
          Look at these pieces again
        </Link>
      </p>
    </>
  )
}

/** After a failure: sends the same again, which changes nothing twice. */
function Again({ result, sent }: { result: ChangeResult; sent: [string, string][] }) {
  const { search } = useLocation()
  const busy = useSending()
  return (
    <>
      <Problems messages={result.problems} />
      {result.loginNeeded && <LoginNeeded />}
      <p>Some pieces may be changed already. To try again changes none of them twice.</p>
      <Form method="post" action={CHANGE_LISTINGS + search}>
        {sent.map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <SubmitButton busy={busy}>Try again</SubmitButton>
      </Form>
    </>
  )
}
