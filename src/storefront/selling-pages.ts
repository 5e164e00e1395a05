/**
 * Pages of makers, of their listings and drafts, by their paths. They are in one file: the first load has the name of
 * each file.
 */
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
import { pageOf } from './lazy-pages.ts'

/** Path → page. */
export const pages = {
  import: pageOf(importing, ImportPage),
  makers: pageOf(makers, MakersPage),
  'products/new': pageOf(newListing, NewListingPage),
  'products/:productId/edit': pageOf(editListing, EditListingPage),
  drafts: pageOf(drafts, DraftsPage),
  'drafts/:draftId': pageOf(draft, DraftPage),
  'your-listings': pageOf(yourListings, YourListingsPage),
  'your-listings/change': pageOf(change, ChangePage),
}
