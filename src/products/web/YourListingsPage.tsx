import { Form, Link, useLoaderData, useLocation, useNavigation, useSearchParams } from 'react-router'
import { asDialog, DialogOrPage, useIsDialog } from '#web/Dialog.tsx'
import { Empty } from '#web/Empty.tsx'
import { LinkButton } from '#web/LinkButton.tsx'
import type { Listing } from '../contract.ts'
import { Photo } from './Photo.tsx'
import { dollars } from './price.ts'
import type { loader } from './yourListings.ts'
import './yourListings.css'
import { SubmitButton } from '#web/SubmitButton.tsx'

export function Page() {
  const { products, next_cursor } = useLoaderData<typeof loader>()
  const chosen = useSearchParams()[0].get('delete')
  const isDialog = useIsDialog()
  const deleting = products.find(({ id }) => String(id) === chosen)
  const question = deleting && <ConfirmDelete listing={deleting} />
  if (question && !isDialog) return question
  return (
    <section className="your-listings">
      <h1>Your Listings</h1>
      <p>
        <Link className="button" to="/products/new">
          + Add a listing
        </Link>
      </p>
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
      {next_cursor && (
        <p className="more">
          <Link className="button quiet" to={`?cursor=${next_cursor}`}>
            More listings
          </Link>
        </p>
      )}
      {question}
    </section>
  )
}

function OwnListing({
  listing: { id, name, price, stock, category, description, images },
}: {
  listing: Listing
}) {
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
            to="/your-listings"
            name="delete"
            value={id}
            state={asDialog}
            aria-label={`Delete ${name}`}
          >
            Delete
          </LinkButton>
        </div>
      </div>
    </li>
  )
}

function ConfirmDelete({ listing: { id, name } }: { listing: Listing }) {
  const busy = useNavigation().state !== 'idle'
  const { state } = useLocation()
  return (
    <DialogOrPage title="Confirm Delete" back="/your-listings">
      <p>{`Are you sure you want to remove ${name} from the listing?`}</p>
      <div className="actions">
        <Form method="post" action="/your-listings" state={state} preventScrollReset>
          <input type="hidden" name="id" value={id} />
          <SubmitButton className="button danger" busy={busy}>
            Yes (Delete Product)
          </SubmitButton>
        </Form>
        <LinkButton to="/your-listings" replace>
          No (Keep Product)
        </LinkButton>
      </div>
    </DialogOrPage>
  )
}
