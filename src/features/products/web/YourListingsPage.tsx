import { useEffect } from 'react'
import { Form, Link, useLoaderData, useLocation, useNavigation, useSearchParams } from 'react-router'
import { Photo } from '#images/web/Photo.tsx'
import { dollars } from '#money'
import { asDialog, DialogOrPage, useIsDialog } from '#ui/Dialog.tsx'
import { Empty } from '#ui/Empty.tsx'
import { useFlash } from '#ui/flash.ts'
import { LinkButton } from '#ui/LinkButton.tsx'
import { Paging } from '#ui/Paging.tsx'
import type { Listing } from '../contract.ts'
import { listingsAt, type loader } from './yourListings.route.ts'
import './yourListings.css'
import { SubmitButton } from '#ui/SubmitButton.tsx'

/** Flash messages. */
const DONE = {
  added: { done: 'Saved. Your new piece is on top' },
  saved: { done: 'Your changes are saved' },
}

export function Page() {
  const message = useFlash(DONE)
  // The form may have been further down.
  useEffect(() => {
    if (message) scrollTo(0, 0)
  }, [message])
  const { products, next_cursor, deleting, unconfirmed } = useLoaderData<typeof loader>()
  const isDialog = useIsDialog()
  // After a failed deletion the address no longer requests it.
  const confirming = useSearchParams()[0].get('delete') === String(deleting?.id)
  const question = confirming && deleting && <ConfirmDelete listing={deleting} />
  if (question && !isDialog) return question
  return (
    <section className="your-listings">
      <header className="own-head">
        <h1>Your Listings</h1>
        <p>
          <Link className="button" to="/products/new">
            + Add a listing
          </Link>
        </p>
      </header>
      <div role="status">{message && <p className="success">{message.done}</p>}</div>
      {unconfirmed !== null && products.length > 0 && (
        <p className="unconfirmed">
          {'Letters about your sales go to '}
          <span dir="auto">{unconfirmed}</span>
          {', which is not confirmed yet. '}
          <Link to="/settings/account">Confirm it</Link>
        </p>
      )}
      {products.length === 0 ? (
        <Empty drawing="tag" text="No listings found.">
          <Link className="button quiet" to="/products/new">
            Offer your first piece
          </Link>
        </Empty>
      ) : (
        <ul>
          {products.map(listing => (
            <OwnListing key={listing.id} listing={listing} />
          ))}
        </ul>
      )}
      <Paging next={next_cursor} />
      {question}
    </section>
  )
}

function OwnListing({ listing }: { listing: Listing }) {
  const { id, name, price, stock, category, description, images } = listing
  const { search } = useLocation()
  return (
    <li className="own-listing">
      {images[0] ? (
        <Photo image={images[0]} name={name} sizes="12rem" />
      ) : (
        <p className="photo placeholder">No image available</p>
      )}
      <div className="own-listing-about">
        <h2>
          <Link to={`/products/${id}`}>{name}</Link>
        </h2>
        <p>{dollars(price)}</p>
        <p>{`${stock} in stock`}</p>
        <p>{category}</p>
        <p>{description}</p>
        <div className="actions">
          <Link className="button quiet" to={`/products/${id}/edit`} aria-label={`Edit ${name}`}>
            Edit
          </Link>
          <LinkButton
            to={listingsAt(search)}
            state={asDialog}
            name="delete"
            value={id}
            aria-label={`Delete ${name}`}
          >
            Delete
          </LinkButton>
        </div>
      </div>
    </li>
  )
}

function ConfirmDelete({ listing: { id, name, review_count } }: { listing: Listing }) {
  const busy = useNavigation().state !== 'idle'
  const { state, search } = useLocation()
  const back = listingsAt(search)
  return (
    <DialogOrPage title="Confirm Delete" back={back}>
      <p>{`Are you sure you want to remove ${name} from the listing?`}</p>
      <p>
        {review_count > 0 &&
          `${review_count === 1 ? 'Its review goes' : `Its ${review_count} reviews go`} with it. `}
        Orders that were placed for it stay, and are still to be sent.
      </p>
      <div className="actions">
        <Form method="post" action={back} state={state} preventScrollReset>
          <input type="hidden" name="id" value={id} />
          <SubmitButton className="button danger" busy={busy}>
            Yes (Delete Product)
          </SubmitButton>
        </Form>
        <LinkButton to={back} replace>
          No (Keep Product)
        </LinkButton>
      </div>
    </DialogOrPage>
  )
}
