/** Pages of makers, of their listings and drafts, by their paths. They are in one file: the first load has the name of each file. */
import { Page as DraftPage } from '#drafts/web/DraftPage.tsx'
import { Page as DraftsPage } from '#drafts/web/DraftsPage.tsx'
import * as draft from '#drafts/web/draft.route.ts'
import * as drafts from '#drafts/web/drafts.route.ts'
import { Page as ChangePage } from '#products/web/ChangeListingsPage.tsx'
import * as change from '#products/web/changeListings.route.ts'
import { Page as EditListingPage } from '#products/web/EditListingPage.tsx'
import * as editListing from '#products/web/editListing.route.ts'
import { Page as NewListingPage } from '#products/web/NewListingPage.tsx'
import * as newListing from '#products/web/newListing.route.ts'
import { Page as YourListingsPage } from '#products/web/YourListingsPage.tsx'
import * as yourListings from '#products/web/yourListings.route.ts'
import { Page as MakersPage } from '#sellers/web/MakersPage.tsx'
import * as makers from '#sellers/web/makers.route.ts'
import { Page as ImportPage } from '#transfer/web/ImportPage.tsx'
import * as importing from '#transfer/web/import.route.ts'

/** Path → page. */
export const pages = {
  import: {
    loader: importing.loader,
    action: importing.action,
    handle: importing.handle,
    Component: ImportPage,
  },
  makers: { loader: makers.loader, handle: makers.handle, Component: MakersPage },
  'products/new': {
    loader: newListing.loader,
    action: newListing.action,
    handle: newListing.handle,
    Component: NewListingPage,
  },
  'products/:productId/edit': {
    loader: editListing.loader,
    action: editListing.action,
    handle: editListing.handle,
    Component: EditListingPage,
  },
  drafts: { loader: drafts.loader, action: drafts.action, handle: drafts.handle, Component: DraftsPage },
  'drafts/:draftId': {
    loader: draft.loader,
    action: draft.action,
    handle: draft.handle,
    Component: DraftPage,
  },
  'your-listings': {
    loader: yourListings.loader,
    action: yourListings.action,
    handle: yourListings.handle,
    shouldRevalidate: yourListings.shouldRevalidate,
    Component: YourListingsPage,
  },
  'your-listings/change': {
    loader: change.loader,
    action: change.action,
    shouldRevalidate: change.shouldRevalidate,
    handle: change.handle,
    Component: ChangePage,
  },
}
