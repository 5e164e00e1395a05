import { Form, Link, useActionData, useLoaderData } from 'react-router'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { PHOTOS_PAGE } from '#draft-pictures/contract.ts'
import { Problems } from '#ui/fields.tsx'
import type { Refusal } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import { IMPORT_PAGE, type Import, type ImportRow } from '../contract.ts'
import { AFTER, FILE, type loader } from './import.route.ts'
import './import.css'

/** Takes Etsy's listings file: first it shows what would become of each row, then it adds them as drafts. */
export function Page() {
  const { preview, problem } = useLoaderData<typeof loader>()
  const result = useActionData<Refusal>()
  const busy = useSending()
  return (
    <section className="import">
      <p>
        <Link className="alone" to="/your-listings">
          Back to Your Listings
        </Link>
      </p>
      <h1>Move in from Etsy</h1>
      <Problems messages={[...(result?.problems ?? []), ...(problem ? [problem] : [])]} />
      {result?.loginNeeded && <LoginNeeded />}
      {preview && <Preview preview={preview} busy={busy} />}
      <ChooseFile isFirst={!preview} busy={busy} />
      {!preview && (
        <p>
          {'From another shop like this one? '}
          <Link to={`${PHOTOS_PAGE}#zip`}>Send its archive</Link>
        </p>
      )}
    </section>
  )
}

function ChooseFile({ isFirst, busy }: { isFirst: boolean; busy: boolean }) {
  return (
    <>
      {isFirst ? (
        <p>
          At Etsy, open Shop Manager, then Settings, Options, Download Data, and download your listings. The
          file is called EtsyListingsDownload.csv. Its listings become drafts that only you see; the photos
          follow by themselves.
        </p>
      ) : (
        <h2>Another file</h2>
      )}
      <Form method="post" action={IMPORT_PAGE} encType="multipart/form-data">
        <div className="field">
          <label htmlFor="listings-file">Listings file</label>
          <input
            id="listings-file"
            type="file"
            name="file"
            accept=".csv,text/csv"
            aria-describedby="listings-file-hint"
          />
          <p className="hint" id="listings-file-hint">
            CSV, at most 10 MB and 5,000 listings
          </p>
        </div>
        <p className="actions">
          <SubmitButton
            className={isFirst ? 'button' : 'button quiet'}
            busy={busy}
            name="intent"
            value="show"
          >
            Show what would be added
          </SubmitButton>
        </p>
      </Form>
    </>
  )
}

/** Outcome → what a row says. */
const OUTCOME: Record<ImportRow['outcome'], string> = {
  new: 'New',
  changed: 'Changed',
  same: 'Here already',
  edited: 'You have edited it: it stays',
  published: 'Published: it stays',
  twin: 'Twice in the file: left out',
}

function Preview({ preview: { id, counts, rows, next }, busy }: { preview: Import; busy: boolean }) {
  const added = counts.new ?? 0
  const changed = counts.changed ?? 0
  return (
    <>
      <h2>{added + changed > 0 ? 'What would be added' : 'What is in the file'}</h2>
      <p>{`${inWords(counts)}.${added + changed > 0 ? ' Nothing is added yet.' : ''}`}</p>
      {added + changed > 0 && (
        <Form method="post" action={`${IMPORT_PAGE}?${FILE}=${id}`}>
          <p className="actions">
            <SubmitButton busy={busy} name="intent" value={`yes ${id}`}>
              {added > 0 ? `Yes, add ${drafts(added)}` : `Yes, change ${drafts(changed)}`}
            </SubmitButton>
          </p>
        </Form>
      )}
      <ol className="rows">
        {rows.map(({ row, name, outcome, photos, notes }) => (
          <li key={row} value={row}>
            <p className="row">
              <span className="name" dir="auto">
                {name}
              </span>
              <span>{OUTCOME[outcome]}</span>
              <span>{photos === 1 ? '1 photo' : `${photos} photos`}</span>
            </p>
            {notes.length > 0 && (
              <ul>
                {notes.map(note => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
      {next !== null && (
        <p>
          <Link className="button quiet" to={`${IMPORT_PAGE}?${FILE}=${id}&${AFTER}=${next}`}>
            {`Rows after ${next}`}
          </Link>
        </p>
      )}
    </>
  )
}

const drafts = (count: number) => (count === 1 ? '1 draft' : `${count.toLocaleString('en-US')} drafts`)

/** '12 new, 3 twice in the file: left out'. */
function inWords(counts: Import['counts']): string {
  const words = Object.entries(OUTCOME).flatMap(([outcome, label]) => {
    const count = counts[outcome as ImportRow['outcome']]
    return count ? [`${count.toLocaleString('en-US')} ${SUMMARY[outcome] ?? label.toLowerCase()}`] : []
  })
  return words.join(', ') || 'The file has no listings'
}

/** Outcomes whose label is too long for a sum. */
const SUMMARY: Record<string, string> = {
  edited: 'that you have edited',
  published: 'published',
  twin: 'twice in the file',
}
