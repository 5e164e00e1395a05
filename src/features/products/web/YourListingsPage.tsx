import { useEffect } from 'react'
import { Form, Link, useActionData, useLoaderData, useLocation, useSearchParams } from 'react-router'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { DialogOrPage, useIsDialog } from '#ui/DialogOrPage.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Problems } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { LinkButton } from '#ui/LinkButton.tsx'
import { Paging } from '#ui/Paging.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useSending } from '#ui/use-sending.ts'
import { LISTINGS_ARCHIVE, LISTINGS_TABLE, type Listing } from '../contract.ts'
import { BulkBar, TickAll } from './BulkBar.tsx'
import { LackingSafety } from './LackingSafety.tsx'
import { OwnListings } from './OwnListings.tsx'
import type { UnsavedPrice } from './priceForm.ts'
import { ShelfFilters, ShelfTabs } from './ShelfFilters.tsx'
import { isNarrowed, listingsAt, type Shelf, YOUR_LISTINGS } from './shelfQuery.ts'
import { UnsavedPrices } from './UnsavedPrices.tsx'
import { DONE, type loader, type ShelfResult } from './yourListings.route.ts'
import './yourListings.css'

export function Page() {
  const flash = useFlash<ShelfResult>(DONE)
  // The form may have been further down.
  useEffect(() => {
    if (flash) scrollTo(0, 0)
  }, [flash])
  const sent = useActionData<ShelfResult | null>()
  const result = sent ?? flash
  const status = useFocusOnResult<HTMLDivElement>(sent?.done && !sent.fields && sent)
  const { products, next_cursor, deleting, unconfirmed, shelf, drafts, lacking, suspended } =
    useLoaderData<typeof loader>()
  const isRetired = shelf.state === 'retired'
  const { search } = useLocation()
  const isDialog = useIsDialog()
  // After a failed deletion the address no longer requests it.
  const confirming = useSearchParams()[0].get('delete') === String(deleting?.id)
  const question = confirming && deleting && <ConfirmDelete listing={deleting} />
  if (question && !isDialog) return question
  if (sent?.unsaved) return <LoggedOut result={sent} prices={sent.unsaved} />
  return (
    <section className="your-listings">
      <header className="own-head">
        <h1>Your Listings</h1>
        <p>
          {drafts > 0 && (
            <Link className="button quiet" to="/drafts">
              {drafts === 1 ? '1 draft' : `${drafts} drafts`}
            </Link>
          )}
          {!suspended && (
            <Link className="button" to="/products/new">
              + Add a listing
            </Link>
          )}
        </p>
      </header>
      {suspended && (
        <p className="suspended">
          {'Your shop is suspended: nobody else sees its listings. '}
          <Link to="/settings/notices">Why, and how to object</Link>
        </p>
      )}
      <Problems messages={result?.problems} />
      {sent?.loginNeeded && <LoginNeeded />}
      <div role="status" tabIndex={-1} ref={status}>
        {result?.done && <p className="success">{result.done}</p>}
      </div>
      {unconfirmed !== null && products.length > 0 && (
        <p className="unconfirmed">
          {'Letters about your sales go to '}
          <span dir="auto">{unconfirmed}</span>
          {', which is not confirmed yet. '}
          <Link to="/settings/account">Confirm it</Link>
        </p>
      )}
      <LackingSafety lacking={lacking} />
      <ShelfTabs state={shelf.state} />
      {(products.length > 0 || isNarrowed(shelf)) && <ShelfFilters shelf={shelf} />}
      {products.length === 0 ? (
        <Nothing shelf={shelf} />
      ) : (
        <>
          <TickAll key={`${search} ${products.length}`} isRetired={isRetired} />
          <OwnListings result={sent ?? undefined} />
        </>
      )}
      <Paging next={next_cursor} />
      {products.length > 0 && <BulkBar shelf={shelf} />}
      {products.length > 0 && <TakeOut />}
      {!isRetired && (
        <p>
          <Link className="alone" to="/import">
            Move in from Etsy
          </Link>
        </p>
      )}
      {question}
    </section>
  )
}

function LoggedOut({ result, prices }: { result: ShelfResult; prices: UnsavedPrice[] }) {
  return (
    <section className="your-listings">
      <h1>Your Listings</h1>
      <Problems messages={result.problems} />
      {result.loginNeeded && <LoginNeeded />}
      <UnsavedPrices prices={prices} errors={result.fields} />
    </section>
  )
}

/** Files, so no pages of the router. */
const TakeOut = () => (
  <details className="take-out">
    <summary className="link">Download your listings</summary>
    <p className="hint">
      The table has the columns of Etsy’s file. The archive has everything, with your photos. Both have
      retired listings too.
    </p>
    <p className="actions">
      <a className="button quiet" href={LISTINGS_TABLE}>
        Table (CSV)
      </a>
      <a className="button quiet" href={LISTINGS_ARCHIVE}>
        Archive (zip)
      </a>
    </p>
  </details>
)

function Nothing({ shelf }: { shelf: Shelf }) {
  if (isNarrowed(shelf))
    return (
      <Empty drawing="tag" text="No listing is like that">
        <Link className="button quiet" to={YOUR_LISTINGS}>
          Show all listings
        </Link>
      </Empty>
    )
  if (shelf.state === 'retired')
    return (
      <Empty drawing="tag" text="Nothing is retired. A retired piece waits here until you bring it back" />
    )
  return (
    <Empty drawing="tag" text="No listings found.">
      <Link className="button quiet" to="/products/new">
        Offer your first piece
      </Link>
    </Empty>
  )
}

function ConfirmDelete({ listing: { id, name, review_count } }: { listing: Listing }) {
  const busy = useSending()
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
