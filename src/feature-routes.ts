import type { FastifyInstance } from 'fastify'
import { emailRoutes } from '#accounts/email-routes.ts'
import { passkeyRoutes } from '#accounts/passkey-routes.ts'
import { passwordResetRoutes } from '#accounts/password-reset-routes.ts'
import { accountRoutes } from '#accounts/routes.ts'
import { addressRoutes } from '#addresses/routes.ts'
import * as cart from '#cart/cart.ts'
import { cartRoutes } from '#cart/routes.ts'
import { checkoutRoutes } from '#checkout/routes.ts'
import { draftPictureRoutes } from '#draft-pictures/routes.ts'
import { draftRoutes } from '#drafts/routes.ts'
import { favouriteRoutes } from '#favourites/routes.ts'
import { feedRoutes } from '#feeds/routes.ts'
import { imageRoutes } from '#images/routes.ts'
import { messageRoutes } from '#messages/routes.ts'
import { moderationRoutes } from '#moderation/routes.ts'
import { notificationRoutes } from '#notifications/routes.ts'
import { onboardingRoutes } from '#onboarding/routes.ts'
import { operatorRoutes } from '#operators/routes.ts'
import { orderRoutes } from '#orders/routes.ts'
import { agree, pagesToAgree } from '#pages/agreements.ts'
import { pageTextRoutes } from '#pages/routes.ts'
import { personalDataRoutes } from '#personal-data/routes.ts'
import { postageRoutes } from '#postage/routes.ts'
import { bulkRoutes } from '#products/bulk-routes.ts'
import { productRoutes } from '#products/routes.ts'
import { reviewRoutes } from '#reviews/routes.ts'
import { saleRoutes } from '#sales/routes.ts'
import { searchRoutes } from '#search/routes.ts'
import { sectionRoutes } from '#sections/routes.ts'
import { shopRoutes } from '#sellers/routes.ts'
import { brandRoutes } from '#site/brand-routes.ts'
import { siteRoutes } from '#site/routes.ts'
import { shareRoutes } from '#social-images/routes.ts'
import { exportRoutes } from '#transfer/export-routes.ts'
import { importRoutes } from '#transfer/import-routes.ts'
import { zipRoutes } from '#transfer/zip-routes.ts'
import { letterKinds } from './letters.ts'

/** Adds the routes of every feature. This is the table of contents. */
export function featureRoutes(app: FastifyInstance): void {
  accountRoutes(app, { asked: pagesToAgree, agree })
  passkeyRoutes(app)
  passwordResetRoutes(app)
  emailRoutes(app)
  // Before products: /api/products/current is no id, and 405 names GET first.
  searchRoutes(app)
  bulkRoutes(app)
  productRoutes(app)
  postageRoutes(app)
  sectionRoutes(app)
  draftRoutes(app)
  exportRoutes(app)
  importRoutes(app)
  zipRoutes(app)
  imageRoutes(app)
  draftPictureRoutes(app)
  shopRoutes(app)
  favouriteRoutes(app)
  addressRoutes(app, cart)
  cartRoutes(app)
  reviewRoutes(app)
  checkoutRoutes(app)
  orderRoutes(app)
  messageRoutes(app)
  saleRoutes(app)
  notificationRoutes(app, letterKinds)
  operatorRoutes(app)
  siteRoutes(app)
  brandRoutes(app)
  onboardingRoutes(app)
  pageTextRoutes(app)
  moderationRoutes(app)
  personalDataRoutes(app)
  feedRoutes(app)
  shareRoutes(app)
}
