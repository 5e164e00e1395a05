import { Form, Link, useLocation } from 'react-router'
import { Photo } from '#images/web/Photo.tsx'
import type { FieldErrors } from '#problem'
import { asDialog } from '#ui/DialogOrPage.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import type { ShelfListing } from '../contract.ts'
import { listedPrice } from '../listed-price.ts'
import { BULK } from './BulkBar.tsx'
import { PRICES, PriceCell } from './PriceCell.tsx'
import { seenText } from './seen.ts'
import { listingsAt } from './shelfQuery.ts'

const states: Record<ShelfListing['state'], string> = {
  'for-sale': 'For sale',
  'sold-out': 'Sold out',
  away: 'You are away',
  retired: 'Retired',
  hidden: 'Hidden by the shop',
  suspended: 'Shop suspended',
}

interface OwnListingProps {
  listing: ShelfListing
  /** Whether its price and stock can be typed here. */
  isPriced: boolean
  errors: FieldErrors
  typed: Record<string, string> | undefined
}

/** A listing of Your Listings with what its seller can do. */
export function OwnListing({ listing, isPriced, errors, typed }: OwnListingProps) {
  const { id, name, stock, category, description, images, state, notice_id, sold, is_varied } = listing
  const here = listingsAt(useLocation().search)
  const busy = useSending()
  const isRetired = state === 'retired'
  // Hidden or suspended: deleted for all other users, and its seller can only delete it.
  const isOut = state === 'hidden' || state === 'suspended'
  return (
    <li className="own-listing">
      <div className="own-tick choices">
        {!isOut && (
          <label className="tick">
            <input type="checkbox" name="ids" value={id} form={BULK} />
            <span className="visually-hidden">{`Choose ${name}`}</span>
          </label>
        )}
      </div>
      {images[0] ? (
        <Photo image={images[0]} name={name} sizes="4rem" />
      ) : (
        <p className="photo placeholder">No image available</p>
      )}
      <div className="own-about">
        <h2>{isRetired || isOut ? name : <Link to={`/products/${id}`}>{name}</Link>}</h2>
        <p>
          <span>{listedPrice(listing)}</span>
          {' · '}
          <span>{category}</span>
          {' · '}
          <span title={description}>{description}</span>
        </p>
      </div>
      <div className="own-state">
        <p className={`state ${state}`}>
          {notice_id === null ? (
            states[state]
          ) : (
            <Link
              to={`/settings/notices?from=${notice_id}#notice-${notice_id}`}
              aria-label={`${states[state]}: why ${name} is`}
            >
              {states[state]}
            </Link>
          )}
        </p>
        <p>
          <span>{`${stock} in stock`}</span>
          {sold > 0 && ` · sold ${sold}`}
        </p>
      </div>
      {isPriced ? (
        <>
          <input
            type="hidden"
            form={PRICES}
            name="seen"
            value={seenText({ ...listing, price_to: listing.price })}
          />
          <PriceCell kind="price" {...{ listing, errors, typed }} />
          <PriceCell kind="stock" {...{ listing, errors, typed }} />
        </>
      ) : (
        <p className="own-varied">
          {is_varied && !isRetired && !isOut && (
            <Link
              className="own-edit"
              to={`/products/${id}/edit`}
              aria-label={`By variation: prices and stock of ${name}`}
            >
              By variation
            </Link>
          )}
        </p>
      )}
      <div className="own-actions">
        {isRetired ? (
          <Move id={id} here={here} intent="restore" label={`Bring back ${name}`}>
            Bring back
          </Move>
        ) : (
          !isOut && (
            <Link className="button quiet" to={`/products/${id}/edit`} aria-label={`Edit ${name}`}>
              Edit
            </Link>
          )
        )}
        {!isRetired && !isOut && (
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
          aria-label={isRetired ? `Delete for good: ${name}` : `Delete ${name}`}
        >
          {isRetired ? 'Delete for good' : 'Delete'}
        </LinkButton>
        {!isRetired && !isOut && (
          <Move id={id} here={here} intent="retire" label={`Retire ${name}`}>
            Retire
          </Move>
        )}
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
  const busy = useSending()
  return (
    <Form method="post" action={here} preventScrollReset>
      <input type="hidden" name="id" value={id} />
      <SubmitButton className="button quiet" busy={busy} name="intent" value={intent} aria-label={label}>
        {children}
      </SubmitButton>
    </Form>
  )
}
