import { Form, Link, useLocation, useNavigation } from 'react-router'
import { Photo } from '#images/web/Photo.tsx'
import { asDialog } from '#ui/Dialog.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import type { Listing } from '../contract.ts'
import { listedPrice } from '../listed-price.ts'
import { BULK } from './BulkBar.tsx'
import { listingsAt } from './shelfQuery.ts'

/** A listing of Your Listings with what its seller can do. */
export function OwnListing({ listing, isRetired }: { listing: Listing; isRetired: boolean }) {
  const { id, name, stock, category, description, images } = listing
  const here = listingsAt(useLocation().search)
  const busy = useNavigation().state !== 'idle'
  return (
    <li className="own-listing">
      {images[0] ? (
        <Photo image={images[0]} name={name} sizes="12rem" />
      ) : (
        <p className="photo placeholder">No image available</p>
      )}
      <div className="own-listing-about">
        <div className="own-listing-name choices">
          <label className="tick">
            <input type="checkbox" name="ids" value={id} form={BULK} />
            <span className="visually-hidden">{`Choose ${name}`}</span>
          </label>
          <h2>{isRetired ? name : <Link to={`/products/${id}`}>{name}</Link>}</h2>
        </div>
        <p>{listedPrice(listing)}</p>
        <p>{`${stock} in stock`}</p>
        <p>{category}</p>
        <p>{description}</p>
        <div className="actions">
          {isRetired ? (
            <Move id={id} here={here} intent="restore" label={`Bring back ${name}`}>
              Bring back
            </Move>
          ) : (
            <Link className="button quiet" to={`/products/${id}/edit`} aria-label={`Edit ${name}`}>
              Edit
            </Link>
          )}
          {!isRetired && (
            <Form method="post" action="/drafts">
              <SubmitButton
                className="button quiet"
                busy={busy}
                name="intent"
                value={`duplicate ${id}`}
                aria-label={`Duplicate ${name}`}
              >
                Duplicate
              </SubmitButton>
            </Form>
          )}
          <LinkButton
            to={here}
            state={asDialog}
            name="delete"
            value={id}
            aria-label={isRetired ? `Delete ${name} for good` : `Delete ${name}`}
          >
            {isRetired ? 'Delete for good' : 'Delete'}
          </LinkButton>
          {!isRetired && (
            <Move id={id} here={here} intent="retire" label={`Retire ${name}`}>
              Retire
            </Move>
          )}
        </div>
      </div>
    </li>
  )
}

interface MoveProps {
  id: number
  /** Address of the page. */
  here: string
  intent: 'retire' | 'restore'
  label: string
  children: string
}

function Move({ id, here, intent, label, children }: MoveProps) {
  const busy = useNavigation().state !== 'idle'
  return (
    <Form method="post" action={here} preventScrollReset>
      <input type="hidden" name="id" value={id} />
      <SubmitButton className="button quiet" busy={busy} name="intent" value={intent} aria-label={label}>
        {children}
      </SubmitButton>
    </Form>
  )
}
