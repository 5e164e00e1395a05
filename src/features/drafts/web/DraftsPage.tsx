import { Form, Link, useActionData, useLoaderData } from 'react-router'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { PHOTOS_PAGE } from '#draft-pictures/contract.ts'
import { PhotoProgress } from '#draft-pictures/web/PhotoProgress.tsx'
import { Photo } from '#images/web/Photo.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Problems } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { Paging } from '#ui/Paging.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useSending } from '#ui/use-sending.ts'
import type { Draft } from '../contract.ts'
import { DONE, type DraftsResult, type loader } from './drafts.route.ts'
import './drafts.css'

/** Listings that are not published yet. */
export function Page() {
  const { drafts, next_cursor, count, photos } = useLoaderData<typeof loader>()
  const busy = useSending()
  const sent = useActionData<DraftsResult>()
  const flash = useFlash<DraftsResult>(DONE)
  const result = sent ?? flash
  const status = useFocusOnResult<HTMLParagraphElement>(result?.done && result)
  return (
    <section className="drafts">
      <p>
        <Link className="alone" to="/your-listings">
          Back to Your Listings
        </Link>
      </p>
      <h1>Your drafts</h1>
      <p>Only you see them. Publish a draft when nothing is missing any more.</p>
      <p className="success" role="status" tabIndex={-1} ref={status}>
        {result?.done}
      </p>
      <Problems
        messages={[
          ...(result?.problems ?? []),
          ...(result?.refused ?? []).map(
            ({ name, errors }) => `${name || 'Without a name'}: ${errors.join('. ')}`,
          ),
        ]}
      />
      {result?.loginNeeded && <LoginNeeded />}
      {photos && photos.waiting + photos.failed > 0 && (
        <>
          <PhotoProgress progress={photos} />
          <p>
            <Link className="alone" to={PHOTOS_PAGE}>
              Photos of your drafts
            </Link>
          </p>
        </>
      )}
      {drafts.length === 0 && count > 0 ? (
        <p>
          <Link className="alone" to="/drafts">
            {count === 1 ? 'See your draft' : `See your ${count} drafts`}
          </Link>
        </p>
      ) : drafts.length === 0 ? (
        <Empty drawing="tag" text="No drafts.">
          <Link className="button quiet" to="/products/new">
            Begin one
          </Link>
        </Empty>
      ) : (
        <Form className="choices" method="post" preventScrollReset>
          {/* Pressed by Enter: the first visible button deletes a draft. */}
          <SubmitButton className="" busy={busy} name="intent" value="publish" hidden tabIndex={-1} />
          <ul>
            {drafts.map(draft => (
              <Item
                key={draft.id}
                draft={draft}
                busy={busy}
                isTicked={sent?.ticked?.includes(draft.id) ?? false}
              />
            ))}
          </ul>
          <p className="actions">
            <SubmitButton busy={busy} name="intent" value="publish">
              Publish the ticked ones
            </SubmitButton>
          </p>
        </Form>
      )}
      <Paging next={next_cursor} />
    </section>
  )
}

interface ItemProps {
  draft: Draft
  busy: boolean
  /** At first: it was ticked, and is not published. */
  isTicked: boolean
}

function Item({ draft: { id, fields, images, missing, version }, busy, isTicked }: ItemProps) {
  const name = fields.name || fields.title || 'Without a name'
  const lacking = Object.values(missing)
  return (
    <li>
      {images[0] ? (
        <Photo image={images[0]} name={name} sizes="6rem" />
      ) : (
        <p className="photo placeholder">No photo yet</p>
      )}
      <div>
        <h2 dir="auto">
          <Link to={`/drafts/${id}`}>{name}</Link>
        </h2>
        {lacking.length === 0 ? (
          <p>Ready to publish</p>
        ) : (
          <details>
            <summary className="link">
              {lacking.length === 1 ? '1 thing is missing' : `${lacking.length} things are missing`}
            </summary>
            <ul className="lacking">
              {lacking.map(message => (
                <li key={message}>{message}</li>
              ))}
            </ul>
          </details>
        )}
        <p className="actions">
          <label className="tick">
            <input type="checkbox" name="draft" value={id} defaultChecked={isTicked} />
            <span>
              Publish <span className="visually-hidden">{name}</span>
            </span>
          </label>
        </p>
        <details className="delete-draft">
          <summary className="link" aria-label={`Delete the draft ${name}`}>
            Delete
          </summary>
          <p>It is gone for good, with its photos.</p>
          <SubmitButton
            className="button danger"
            busy={busy}
            name="intent"
            value={`delete ${id} ${version}`}
            aria-label={`Yes, delete it: ${name}`}
          >
            Yes, delete it
          </SubmitButton>
        </details>
      </div>
    </li>
  )
}
