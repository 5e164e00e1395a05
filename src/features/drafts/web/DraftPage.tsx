import { Link, useLoaderData } from 'react-router'
import { useFormKey } from '#products/web/draft.ts'
import { ListingForm } from '#products/web/ListingForm.tsx'
import { useFocusOnResult } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import type { loader } from './draft.route.ts'

/** Messages of accepted forms. */
const DONE = {
  saved: { done: 'Your draft is saved. Only you see it' },
  'photo-lost': { done: 'Your draft is saved, but not all of its photos: please choose them again' },
  duplicated: { done: 'This is a copy, as a draft, with its photos' },
}

/** A listing that is not published yet. */
export function Page() {
  const { draft, profiles, sections } = useLoaderData<typeof loader>()
  const formKey = useFormKey()
  const message = useFlash(DONE)
  const status = useFocusOnResult<HTMLParagraphElement>(message)
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
