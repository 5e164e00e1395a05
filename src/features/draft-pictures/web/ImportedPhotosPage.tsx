import { Form, Link, useActionData, useLoaderData } from 'react-router'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { Problems } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import { MAX_ZIP_BYTES, MAX_ZIP_ENTRIES, PHOTOS_PAGE, ZIP_FORM_PATH } from '../contract.ts'
import { FolderForm } from './FolderForm.tsx'
import { DONE, type loader, type RetryResult } from './importedPhotos.route.ts'
import { PhotoProgress } from './PhotoProgress.tsx'

/** How far the photos of imported drafts are, and the form for a zip of them. */
export function Page() {
  const { progress, outcome } = useLoaderData<typeof loader>()
  const flash = useFlash<RetryResult>(DONE)
  const result = useActionData<RetryResult>() ?? flash
  const busy = useSending()
  const problems = result?.problems ?? (outcome?.problem ? [outcome.problem] : undefined)
  return (
    <section className="narrow">
      <p>
        <Link className="alone" to="/drafts">
          Back to your drafts
        </Link>
      </p>
      <h1>Photos of your drafts</h1>
      <Problems messages={problems} />
      {result?.loginNeeded && <LoginNeeded />}
      <div role="status">
        {(result?.done ?? outcome?.done) && <p className="success">{result?.done ?? outcome?.done}</p>}
      </div>
      {progress && <PhotoProgress progress={progress} />}
      {progress && progress.waiting > 0 && (
        <p>
          <Link className="alone" to={PHOTOS_PAGE} preventScrollReset>
            Look again
          </Link>
        </p>
      )}
      {progress?.fetches && progress.refetchable > 0 && (
        <Form method="post" action={PHOTOS_PAGE}>
          <p className="actions">
            <SubmitButton className="button quiet" busy={busy} name="intent" value="again">
              Fetch the failed ones again
            </SubmitButton>
          </p>
        </Form>
      )}
      <h2 id="zip">Photos as a zip, or an archive</h2>
      <p id="zip-rule">
        {`A zip of at most ${MAX_ZIP_BYTES / 2 ** 20} MB and ${MAX_ZIP_ENTRIES.toLocaleString('en')} files. A photo finds its draft by its file name at Etsy (il_fullxfull.123_abc.jpg), or by the SKU or title of the draft, as the name of the file (MUG-01-2.jpg) or of its folder (MUG-01/front.jpg). Photos of a folder keep the order of their names. The same zip again adds nothing twice.`}
      </p>
      <p>
        The archive of another shop like this one is taken in too: its listings become drafts, with their
        photos. A larger one is taken in by those who run this shop.
      </p>
      {/* A form of the browser: the zip goes past the scripts. */}
      <form method="post" action={ZIP_FORM_PATH} encType="multipart/form-data" aria-labelledby="zip">
        <div className="field">
          <label htmlFor="zip-file">Zip file</label>
          <input
            id="zip-file"
            type="file"
            name="zip"
            accept=".zip,application/zip"
            required
            aria-describedby="zip-rule"
          />
        </div>
        <p className="actions">
          <button type="submit" className="button">
            Send the zip
          </button>
        </p>
      </form>
      <FolderForm />
    </section>
  )
}
