import { operateKeys } from './operators.ts'

/** Expected status for a visitor, the owner and a stranger, with the owner's ids. */
export const expected: Record<string, [visitor: number, owner: number, stranger: number]> = {
  'GET /api/auth/': [401, 200, 200],
  'GET /api/auth/session': [401, 200, 200],
  'POST /api/auth/login': [401, 401, 401],
  'GET /api/auth/signup': [200, 200, 200],
  'POST /api/auth/signup': [201, 201, 201],
  'GET /api/auth/logout': [200, 200, 200],
  'GET /api/auth/sessions': [401, 200, 200],
  'DELETE /api/auth/sessions/:id': [401, 200, 404],
  'DELETE /api/auth/sessions': [401, 200, 200],
  'POST /api/auth/password': [401, 200, 200],
  'GET /api/auth/email': [401, 200, 200],
  'POST /api/auth/email': [401, 200, 200],
  'DELETE /api/auth/email/change': [401, 200, 200],
  'POST /api/auth/confirmations': [401, 200, 200],
  // The token of a letter is needed, and no login.
  'POST /api/auth/confirm-email': [400, 400, 400],
  'POST /api/auth/forgotten-password': [200, 200, 200],
  // With an unknown link.
  'POST /api/auth/reset-password/check': [410, 410, 410],
  'POST /api/auth/reset-password': [410, 410, 410],
  'POST /api/auth/login/passkey/challenge': [200, 200, 200],
  'POST /api/auth/login/passkey': [401, 401, 401],
  'GET /api/auth/passkeys': [401, 200, 200],
  'POST /api/auth/passkeys/confirmation': [401, 200, 200],
  'POST /api/auth/passkeys/challenge': [401, 200, 200],
  'POST /api/auth/passkeys': [401, 201, 201],
  'PUT /api/auth/passkeys/:id': [401, 200, 404],
  'POST /api/auth/passkeys/:id/remove': [401, 200, 404],

  'GET /api/products/': [200, 200, 200],
  'GET /api/products/current': [401, 200, 200],
  'GET /api/products/lacking-safety': [401, 200, 200],
  'GET /api/products/shelf': [401, 200, 200],
  'POST /api/products/bulk/preview': [401, 200, 200],
  'POST /api/products/bulk': [401, 200, 200],
  'GET /api/products/:id': [200, 200, 200],
  'GET /api/products/counts': [200, 200, 200],
  'GET /api/products/suggestions': [200, 200, 200],
  'GET /api/products/:id/similar': [200, 200, 200],
  'POST /api/products/': [401, 201, 201],
  'PUT /api/products/:id': [401, 200, 403],
  'POST /api/products/:id/retire': [401, 200, 403],
  'POST /api/products/:id/restore': [401, 200, 403],
  'DELETE /api/products/:id': [401, 200, 403],
  'POST /api/products/:id/images': [401, 201, 403],
  'PUT /api/products/:id/images': [401, 200, 403],

  'GET /api/products/:id/details': [200, 200, 200],
  'GET /api/products/:id/postage': [200, 200, 200],

  'GET /api/postage/': [401, 200, 200],
  'POST /api/postage/': [401, 201, 201],
  'PUT /api/postage/:profileId': [401, 200, 404],
  'PUT /api/postage/:profileId/default': [401, 200, 404],
  'DELETE /api/postage/:profileId': [401, 200, 404],

  'GET /api/sections/': [401, 200, 200],
  'POST /api/sections/': [401, 201, 201],
  'PUT /api/sections/:sectionId': [401, 200, 404],
  'PUT /api/sections/:sectionId/position': [401, 200, 404],
  'DELETE /api/sections/:sectionId': [401, 200, 404],
  'GET /api/drafts/': [401, 200, 200],
  'POST /api/drafts/': [401, 201, 201],
  'GET /api/drafts/:draftId': [401, 200, 404],
  'PUT /api/drafts/:draftId': [401, 200, 404],
  'GET /api/drafts/:draftId/listing': [401, 404, 404],
  'POST /api/drafts/:draftId/images': [401, 201, 404],
  'PUT /api/drafts/:draftId/images': [401, 200, 404],
  'POST /api/drafts/:draftId/publish': [401, 400, 404],
  'POST /api/drafts/publish': [401, 200, 200],
  'DELETE /api/drafts/:draftId': [401, 200, 404],
  'POST /api/products/:id/draft': [401, 201, 403],
  'GET /api/shops/:username/sections': [200, 200, 200],

  // Cookies alone.
  'GET /api/country': [200, 200, 200],
  'PUT /api/country': [200, 200, 200],

  'POST /api/import/': [401, 201, 201],
  'GET /api/import/:importId': [401, 200, 404],
  'POST /api/import/:importId': [401, 200, 404],
  'GET /api/import/photos': [401, 200, 200],
  'POST /api/import/photos/retry': [401, 200, 200],

  'GET /api/holiday/': [401, 200, 200],
  'PUT /api/holiday/': [401, 200, 200],
  'DELETE /api/holiday/': [401, 200, 200],

  'GET /api/makers': [200, 200, 200],
  'GET /api/shops/:username': [200, 200, 200],
  'PUT /api/shops/:username': [401, 200, 403],
  'POST /api/shops/:username/picture': [401, 201, 403],
  'DELETE /api/shops/:username/picture': [401, 200, 403],
  'GET /api/shops/:username/page': [200, 200, 200],
  'PUT /api/shops/:username/page': [401, 200, 403],
  'POST /api/shops/:username/banner': [401, 201, 403],
  'DELETE /api/shops/:username/banner': [401, 200, 403],

  'GET /api/favourites/': [401, 200, 200],
  'GET /api/favourites/ids': [401, 200, 200],
  'PUT /api/favourites/:productId': [401, 200, 200],
  'DELETE /api/favourites/:productId': [401, 200, 200],

  'GET /api/addresses/': [401, 200, 200],
  'POST /api/addresses/': [401, 201, 201],
  'PUT /api/addresses/:addressId': [401, 200, 404],
  'DELETE /api/addresses/:addressId': [401, 200, 404],

  'GET /api/cart_items/:id': [401, 200, 403],
  'POST /api/cart_items/add/:productId': [401, 201, 201],
  'PUT /api/cart_items/:id': [401, 200, 403],
  'DELETE /api/cart_items/:id': [401, 200, 403],

  'GET /api/checkout/': [401, 200, 200],
  'PUT /api/checkout/address': [401, 200, 200],
  // Nothing of this maker is in the stranger's cart.
  'PUT /api/checkout/sellers/:sellerId': [401, 200, 404],

  'GET /api/reviews/:productId/reviews': [200, 200, 200],
  'GET /api/reviews/:productId/histogram': [200, 200, 200],
  // A visitor has none.
  'GET /api/reviews/:productId/own': [200, 200, 200],
  'PUT /api/reviews/:id/reply': [401, 200, 403],
  'DELETE /api/reviews/:id/reply': [401, 200, 403],
  // The owner already has a review.
  'POST /api/reviews/:productId/create-review': [401, 409, 201],
  'POST /api/reviews/:id/edit-review/': [401, 200, 403],
  'DELETE /api/reviews/:id/delete-review': [401, 200, 403],

  'GET /api/orders/': [401, 200, 200],
  'GET /api/orders/order-items/:any': [401, 200, 200],
  // The stranger's own cart is empty.
  'POST /api/orders/checkout': [401, 201, 400],
  'DELETE /api/orders/:orderId/delete-order': [401, 200, 404],
  'GET /api/orders/all': [401, 200, 200],
  'GET /api/orders/:orderId/detail': [401, 200, 404],
  // The owner's order has no parcel yet.
  'POST /api/orders/:orderId/received': [401, 404, 404],
  'POST /api/orders/:orderId/again': [401, 200, 404],
  'GET /api/orders/:orderId/messages': [401, 200, 404],
  'POST /api/orders/:orderId/messages': [401, 201, 404],
  'POST /api/orders/:orderId/messages/read': [401, 200, 404],
  'GET /api/messages/': [401, 200, 200],
  // Nobody writes to themselves.
  'GET /api/messages/to/:username': [401, 409, 200],
  'POST /api/messages/to/:username': [401, 409, 201],
  'GET /api/messages/:conversationId': [401, 200, 404],
  'POST /api/messages/:conversationId': [401, 201, 404],
  'POST /api/messages/:conversationId/read': [401, 200, 404],
  'PUT /api/messages/:conversationId/stop': [401, 200, 404],
  'DELETE /api/messages/:conversationId/stop': [401, 200, 404],

  'GET /api/sales/': [401, 200, 200],
  'GET /api/sales/sums': [401, 200, 200],
  'GET /api/sales/payment-words': [401, 200, 200],
  'PUT /api/sales/payment-words': [401, 200, 200],
  // A stranger is told of each order that there is none.
  'POST /api/sales/batch': [401, 200, 200],
  'GET /api/sales/:orderId': [401, 200, 404],
  'POST /api/sales/:orderId/ready': [401, 200, 404],
  // With a wrong code.
  'POST /api/sales/:orderId/collected': [401, 409, 404],
  'POST /api/sales/:orderId/parcels': [401, 201, 404],
  'POST /api/sales/:orderId/cancel': [401, 200, 404],
  // Nothing was paid.
  'POST /api/sales/:orderId/refunds': [401, 409, 404],
  'POST /api/sales/:orderId/payments': [401, 201, 404],
  // With an unknown event.
  'POST /api/sales/:orderId/parcels/:eventId/tracking': [401, 404, 404],
  'POST /api/sales/:orderId/events/:eventId/undo': [401, 404, 404],

  'GET /api/notifications/': [401, 200, 200],
  'POST /api/notifications/seen': [401, 200, 200],
  'GET /api/letters/': [401, 200, 200],
  'PUT /api/letters/': [401, 200, 200],
  // Only the signature matters, and this one is wrong.
  'GET /api/letters/off/:token': [403, 403, 403],
  'POST /api/letters/off/:token': [403, 403, 403],

  'PUT /api/account/names': [401, 200, 200],
  'POST /api/account/data': [401, 201, 201],
  'GET /api/account/data': [401, 200, 200],
  'GET /api/account/deletion': [401, 200, 200],
  // The owner has a pending order.
  'POST /api/account/deletion': [401, 409, 200],

  'POST /api/products/:id/reports': [201, 201, 201],
  'POST /api/reviews/:id/reports': [201, 201, 201],
  'POST /api/reviews/:id/reply/reports': [201, 201, 201],
  'POST /api/shops/:username/reports': [201, 201, 201],
  'GET /api/pages/': [200, 200, 200],
  // Nothing is published here.
  'GET /api/pages/:slug': [404, 404, 404],
  'GET /api/account/agreements': [401, 200, 200],
  'GET /api/notices/': [401, 200, 200],
  'POST /api/notices/:decisionId/objection': [401, 404, 404],
  'GET /api/selling/': [401, 200, 200],
  // Everybody may sell here.
  'POST /api/selling/application': [401, 409, 409],
  'POST /api/selling/invitation': [401, 410, 410],
  'GET /api/selling/details': [401, 200, 200],
  'PUT /api/selling/details': [401, 200, 200],
  'GET /api/shops/:username/seller': [200, 200, 200],
  // With an unknown link.
  'POST /api/setup': [401, 410, 410],
  // Calls of operators do not exist for other users.
  ...Object.fromEntries(operateKeys.map(key => [key, [401, 404, 404] as [number, number, number]])),
}
