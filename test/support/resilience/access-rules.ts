import { operateKeys } from '../operators.ts'

/** Public calls. */
export const OPEN = new Set([
  'GET /api/products/',
  'GET /api/products/counts',
  'GET /api/products/suggestions',
  'GET /api/products/:id',
  'GET /api/products/:id/similar',
  'GET /api/products/:id/details',
  'GET /api/products/:id/postage',
  'GET /api/makers',
  'GET /api/shops/:username',
  'GET /api/shops/:username/page',
  'GET /api/shops/:username/sections',
  'GET /api/reviews/:productId/reviews',
  'GET /api/pages/',
  'GET /api/auth/signup',
  'GET /api/reviews/:productId/histogram',
  'GET /api/shops/:username/seller',
])

/** Calls without a login, and their refusals here: wrong password, existing account, unknown link. */
const DOORS: Record<string, number> = {
  'POST /api/auth/login': 401,
  'POST /api/auth/confirm-email': 400,
  'POST /api/auth/login/passkey/challenge': 200,
  'POST /api/auth/login/passkey': 401,
  'POST /api/auth/signup': 201,
  'POST /api/auth/forgotten-password': 200,
  'POST /api/auth/reset-password/check': 410,
  'POST /api/auth/reset-password': 410,
  'GET /api/auth/logout': 200,
  'GET /api/country': 200,
  'PUT /api/country': 200,
  'GET /api/letters/off/:token': 403,
  'POST /api/letters/off/:token': 403,
  'POST /api/products/:id/reports': 201,
  'POST /api/reviews/:id/reports': 201,
  'POST /api/reviews/:id/reply/reports': 201,
  'POST /api/shops/:username/reports': 201,
  // Nothing is published.
  'GET /api/pages/:slug': 404,
}

/** Calls about the caller alone, and their status for a new user. All other calls take ids of others. */
const OWN_STATUS: Record<string, number> = {
  'GET /api/auth/': 200,
  'GET /api/auth/session': 200,
  'GET /api/account/agreements': 200,
  'GET /api/auth/sessions': 200,
  'DELETE /api/auth/sessions': 200,
  'POST /api/auth/password': 200,
  'GET /api/auth/email': 200,
  'POST /api/auth/email': 200,
  'DELETE /api/auth/email/change': 200,
  'POST /api/auth/confirmations': 200,
  'GET /api/auth/passkeys': 200,
  'POST /api/auth/passkeys/confirmation': 200,
  'POST /api/auth/passkeys/challenge': 200,
  'POST /api/auth/passkeys': 201,
  'GET /api/products/current': 200,
  'GET /api/products/shelf': 200,
  'GET /api/products/lacking-safety': 200,
  'POST /api/products/bulk/preview': 200,
  'POST /api/products/bulk': 200,
  'POST /api/products/': 201,
  'GET /api/favourites/': 200,
  'GET /api/favourites/ids': 200,
  'PUT /api/favourites/:productId': 200,
  'DELETE /api/favourites/:productId': 200,
  'GET /api/addresses/': 200,
  'POST /api/addresses/': 201,
  'POST /api/cart_items/add/:productId': 201,
  'GET /api/reviews/:productId/own': 200,
  'POST /api/reviews/:productId/create-review': 201,
  'GET /api/checkout/': 200,
  'PUT /api/checkout/address': 200,
  'GET /api/orders/': 200,
  'GET /api/orders/all': 200,
  'GET /api/orders/order-items/:any': 200,
  'POST /api/orders/checkout': 400,
  'GET /api/sales/': 200,
  'GET /api/sales/sums': 200,
  'GET /api/sales/payment-words': 200,
  'PUT /api/sales/payment-words': 200,
  'POST /api/sales/batch': 200,
  'GET /api/messages/': 200,
  'GET /api/messages/to/:username': 200,
  'POST /api/messages/to/:username': 201,
  'GET /api/notifications/': 200,
  'POST /api/notifications/seen': 200,
  'GET /api/letters/': 200,
  'PUT /api/letters/': 200,
  'GET /api/postage/': 200,
  'POST /api/postage/': 201,
  'POST /api/import/': 201,
  'GET /api/import/photos': 200,
  'POST /api/import/photos/retry': 200,
  'GET /api/drafts/': 200,
  'POST /api/drafts/': 201,
  'POST /api/drafts/publish': 200,
  'GET /api/sections/': 200,
  'POST /api/sections/': 201,
  'GET /api/notices/': 200,
  'GET /api/selling/': 200,
  'POST /api/selling/application': 409,
  'POST /api/selling/invitation': 410,
  'POST /api/setup': 410,
  'GET /api/selling/details': 200,
  'PUT /api/selling/details': 200,
  'GET /api/holiday/': 200,
  'PUT /api/holiday/': 200,
  'DELETE /api/holiday/': 200,
  'PUT /api/account/names': 200,
  'POST /api/account/data': 201,
  'GET /api/account/data': 200,
  'GET /api/account/deletion': 200,
  'POST /api/account/deletion': 200,
}

/**
 * Calls that refuse even the owner: wrong password, unknown link, existing review, unknown parcel or event, running
 * order, wrong signature or code, a refund of nothing, a message to oneself, no decision, an application where
 * everybody may sell, no invitation, no published page, and what only operators may do.
 */
export const OWNERS: Record<string, number> = {
  'POST /api/auth/login': 401,
  'POST /api/auth/login/passkey': 401,
  'POST /api/auth/reset-password/check': 410,
  'POST /api/auth/reset-password': 410,
  'POST /api/auth/confirm-email': 400,
  'GET /api/drafts/:draftId/listing': 404,
  'POST /api/drafts/:draftId/publish': 400,
  'POST /api/reviews/:productId/create-review': 409,
  'POST /api/orders/:orderId/received': 404,
  'POST /api/sales/:orderId/collected': 409,
  'POST /api/sales/:orderId/refunds': 409,
  'POST /api/sales/:orderId/parcels/:eventId/tracking': 404,
  'POST /api/sales/:orderId/events/:eventId/undo': 404,
  'POST /api/account/deletion': 409,
  // Nobody writes to themselves.
  'GET /api/messages/to/:username': 409,
  'POST /api/messages/to/:username': 409,
  'GET /api/letters/off/:token': 403,
  'POST /api/letters/off/:token': 403,
  'POST /api/notices/:decisionId/objection': 404,
  'POST /api/selling/application': 409,
  'POST /api/selling/invitation': 410,
  'POST /api/setup': 410,
  'GET /api/pages/:slug': 404,
  ...Object.fromEntries(operateKeys.map(key => [key, 404])),
}

/** Statuses of a refusal to others. */
export const REFUSALS = [401, 403, 404]

/** What a call reaches. */
export function reachesFor(key: string): 'what is open' | 'a door' | 'their own' | 'what is somebody’s' {
  if (OPEN.has(key)) return 'what is open'
  if (key in DOORS) return 'a door'
  return key in OWN_STATUS ? 'their own' : 'what is somebody’s'
}

/** Allowed statuses for others than the owner. @param there whether the id exists */
export function allowedTo(role: 'visitor' | 'stranger', key: string, there: boolean): number[] {
  // Sellers have usernames instead of ids, and one call takes any number.
  const missing = key.includes(':') && !/:(username|any)/.test(key) && !there
  switch (reachesFor(key)) {
    case 'what is open':
      return [missing ? 404 : 200]
    case 'a door':
      // Somebody with an account reports the same maker once.
      if (key === 'POST /api/shops/:username/reports') return role === 'visitor' ? [201] : [201, 409]
      return [missing && key.endsWith('/reports') ? 404 : (DOORS[key] ?? 0)]
    case 'their own':
      // A visitor has no review: 200 with null.
      if (role === 'visitor') return [key.endsWith('/own') ? 200 : 401]
      return [missing ? 404 : (OWN_STATUS[key] ?? 0)]
    default:
      return role === 'visitor' ? [401] : [403, 404]
  }
}
