/**
 * Pages and dialogs of reviews, by their paths after `products/:productId/`. They are in one file: the first load of the shop has
 * the name of every file of pages.
 */
import { Page as CreatePage } from '#reviews/web/CreateReviewPage.tsx'
import * as create from '#reviews/web/createReview.route.ts'
import { Page as DeletePage } from '#reviews/web/DeleteReviewPage.tsx'
import * as remove from '#reviews/web/deleteReview.route.ts'
import { Page as EditPage } from '#reviews/web/EditReviewPage.tsx'
import * as edit from '#reviews/web/editReview.route.ts'
import { Page as ReplyPage } from '#reviews/web/ReplyPage.tsx'
import * as reply from '#reviews/web/reply.route.ts'
import { pageOf } from './lazy-pages.ts'

/** Path → page. */
export const pages = {
  reply: pageOf(reply, ReplyPage),
  'create-review': pageOf(create, CreatePage),
  'edit-review': pageOf(edit, EditPage),
  'delete-review': pageOf(remove, DeletePage),
}
