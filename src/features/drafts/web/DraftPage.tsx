import { Link, useActionData, useLoaderData } from 'react-router'
import { ListingForm } from '#products/web/ListingForm.tsx'
import type { ListingResult } from '#products/web/parseListing.ts'
import { useFormKey } from '#products/web/unsaved-form.ts'
import { useFlash } from '#ui/flash.ts'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { DONE, type loader } from './draft.route.ts'

/** A listing that is not published yet. */
export function Page() {
  const { draft, profiles, sections } = useLoaderData<typeof loader>()
  const formKey = useFormKey()
  const result = useActionData<ListingResult>()
  const message = useFlash(DONE) ?? (result?.done ? result : undefined)
  const status = useFocusOnResult<HTMLParagraphElement>(message, 'buttons')
  return (
    <section className="narrow with-preview">
      <p>
        <Link className="alone" to="/drafts">
          Back to your drafts
        </Link>
      </p>
      <h1>Finish your draft</h1>
      <p className="success" role="status" tabIndex={-1} ref={status}>
        {message?.done}
      </p>
      <ListingForm
        key={formKey}
        {...(draft ? { unpublished: draft } : {})}
        details={{ sections, saved: undefined }}
        delivery={{ profiles, saved: undefined }}
        submit="Publish"
      />
    </section>
  )
}
