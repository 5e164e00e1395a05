import { expect } from 'vitest'
import { RESET_ASKED } from '#accounts/contract.ts'
import { createLink, issueToken } from '#accounts/email-links.ts'
import { hideListing, hideReplyTo, hideReviewOf } from '#moderation/decisions.ts'
import { makeSetupLink } from '#operators/first-operator.ts'
import { record } from '#orders/events.ts'
import { transaction } from '#platform/database/database.ts'
import { brandInput } from './brand.ts'
import { HEADER, row } from './etsy-files.ts'
import { anAddress, aReport, aShopPage, sellerDetails } from './fixtures.ts'
import { type Form, profileOf } from './form-people.ts'
import { multipart, urlencoded } from './form-posts.ts'
import { aMug } from './listings.ts'
import { nameOperator, openOperator } from './operators.ts'
import { PASSWORD, type Person } from './person.ts'

const typed = { ...aMug, name: 'Sage vase', price: '12.50', stock: '3' }

const marketHall = { place: '0', 'place.0': 'Market hall', 'hours.0': '' }

const toMaker = ({ user }: Person) => `/messages/to/${encodeURIComponent(user.username)}`
/** A shopper asks a maker. @returns the conversation */
const asked = async (shopper: Person, maker: Person): Promise<number> =>
  (await shopper.post(`/api${toMaker(maker)}`, { text: 'Is it blue?' })).body.conversation

/** Forms that are posted without scripts, by the file of their action. */
export const forms: Record<string, Form> = {
  'login: log in': {
    async sends({ shop, shopper }) {
      const visitor = shop.visitor()
      const fields = { email: shopper.user.email, password: PASSWORD }
      return [visitor, await urlencoded(visitor, '/login?next=%2Forders%2Fview', fields)]
    },
    to: '/orders/view',
    shows: 'Log Out',
  },
  'signup: sign up': {
    async sends({ shop }) {
      const visitor = shop.visitor()
      const names = { email: 'vera@example.com', first_name: 'Vera', last_name: 'Potter', username: 'vera' }
      const passwords = { password: PASSWORD, confirm_password: PASSWORD }
      return [visitor, await urlencoded(visitor, '/signup', { ...names, ...passwords })]
    },
    to: '/',
    shows: 'vera@example.com',
  },
  'forgottenPassword: ask for a link': {
    async sends({ shop, shopper }) {
      const visitor = shop.visitor()
      return [visitor, await urlencoded(visitor, '/forgot-password', { email: shopper.user.email })]
    },
    to: '/forgot-password?done=asked',
    shows: RESET_ASKED,
  },
  'resetPassword: set a new password': {
    async sends({ shop, shopper }) {
      const { id: userId, email } = shopper.user
      const link = await createLink(shop.db, { userId, purpose: 'reset', email })
      const issued = await issueToken(shop.db, link, 60)
      const fields = { new_password: 'secret-2', confirm_password: 'secret-2' }
      return [shopper, await urlencoded(shopper, `/reset-password?token=${issued?.token}`, fields)]
    },
    to: '/login?done=reset',
    shows: 'Your new password is set. Log in with it',
  },
  'security: change the password': {
    async sends({ shopper }) {
      const passwords = {
        current_password: PASSWORD,
        new_password: 'secret-2',
        confirm_password: 'secret-2',
      }
      return [shopper, await urlencoded(shopper, '/settings/security', { intent: 'password', ...passwords })]
    },
    to: '/settings/security?done=changed',
    shows: 'Your password is changed',
  },
  'security: log out a device': {
    async sends({ shop, shopper }) {
      await shop.visitor().post('/api/auth/login', { email: shopper.user.email, password: PASSWORD })
      const { sessions } = (await shopper.get('/api/auth/sessions')).body
      const id = String(sessions.find(({ current }: { current: boolean }) => !current).id)
      return [shopper, await urlencoded(shopper, '/settings/security', { intent: 'end', id })]
    },
    to: '/settings/security?done=ended',
    shows: 'That device is logged out',
  },
  'security: log out everywhere': {
    sends: async ({ shopper }) => [
      shopper,
      await urlencoded(shopper, '/settings/security', { intent: 'end-all' }),
    ],
    to: '/',
    shows: 'Log In',
  },
  'letters: choose letters': {
    sends: async ({ maker }) => [
      maker,
      await urlencoded(maker, '/settings/letters', { kind: 'review', on: 'reply' }),
    ],
    to: '/settings/letters?done=saved',
    shows: '\nSaved\n',
  },
  'addresses: add an address': {
    sends: async ({ shopper }) => [shopper, await urlencoded(shopper, '/settings/addresses', anAddress)],
    to: '/settings/addresses?done=saved',
    shows: '12345 Lakeside',
  },
  'addresses: add an address, and go on': {
    sends: async ({ shopper }) => [
      shopper,
      await urlencoded(shopper, '/settings/addresses?next=%2Fcart', anAddress),
    ],
    to: '/cart',
    shows: 'Shopping Cart',
  },
  'addresses: change an address': {
    async sends({ shopper }) {
      const { id } = (await shopper.post('/api/addresses/', anAddress)).body
      const fields = { ...anAddress, city: 'Hilltop' }
      return [shopper, await urlencoded(shopper, `/settings/addresses/${id}`, fields)]
    },
    to: '/settings/addresses?done=saved',
    shows: '12345 Hilltop',
  },
  'addresses: delete an address': {
    async sends({ shopper }) {
      const { id } = (await shopper.post('/api/addresses/', anAddress)).body
      const fields = { intent: 'delete', id: String(id) }
      return [shopper, await urlencoded(shopper, '/settings/addresses', fields)]
    },
    to: '/settings/addresses?done=deleted',
    shows: 'Address deleted',
  },
  'postageProfiles: add a postage profile': {
    sends: async ({ maker }) => [
      maker,
      await urlencoded(maker, '/settings/postage?profile=new', {
        intent: 'save',
        name: 'Post',
        ...marketHall,
      }),
    ],
    to: '/settings/postage?done=saved',
    shows: '\nSaved\n',
  },
  'draft: publish a draft': {
    async sends({ maker }) {
      const { id } = (await maker.post('/api/drafts/', { fields: { name: 'Half a vase' } })).body
      return [maker, await multipart(maker, `/drafts/${id}`, typed)]
    },
    to: '/your-listings?done=added',
    shows: 'Sage vase',
  },
  'drafts: delete a draft': {
    async sends({ maker }) {
      const { id } = (await maker.post('/api/drafts/', { fields: { name: 'Old vase' } })).body
      return [maker, await urlencoded(maker, '/drafts', { intent: `delete ${id}` })]
    },
    to: '/drafts?done=deleted',
    shows: 'The draft is deleted',
  },
  'importedPhotos: fetch the failed ones again': {
    sends: async ({ maker }) => [maker, await urlencoded(maker, '/import/photos', { intent: 'again' })],
    to: '/import/photos?done=again',
    shows: 'They are fetched again',
  },
  'import: take a file in': {
    async sends({ maker }) {
      const file = Buffer.from([HEADER, row(), ''].join('\n'))
      const { id } = (await maker.upload('/api/import/', file, 'listings.csv', 'file', 'text/csv')).body
      return [maker, await urlencoded(maker, `/import?file=${id}`, { intent: `yes ${id}` })]
    },
    to: '/drafts?done=imported',
    shows: 'The file is taken in: its listings are drafts now',
  },
  'sections: add a section': {
    sends: async ({ maker }) => [
      maker,
      await urlencoded(maker, '/settings/sections', { intent: 'add', name: 'Bowls' }),
    ],
    to: '/settings/sections?done=added',
    shows: '\nBowls\n',
  },
  'sections: rename a section': {
    async sends({ maker }) {
      const { id } = (await maker.post('/api/sections/', { name: 'Plates' })).body
      const fields = { intent: 'rename', id: String(id), name: 'Dishes' }
      return [maker, await urlencoded(maker, '/settings/sections', fields)]
    },
    to: '/settings/sections?done=saved',
    shows: '\nDishes\n',
  },
  'sections: move a section': {
    async sends({ maker }) {
      await maker.post('/api/sections/', { name: 'Vases' })
      const { id } = (await maker.post('/api/sections/', { name: 'Lamps' })).body
      const fields = { intent: 'move', id: String(id), position: '1' }
      return [maker, await urlencoded(maker, '/settings/sections', fields)]
    },
    to: '/settings/sections?done=moved',
    shows: 'Order saved',
  },
  'sections: remove a section': {
    async sends({ maker }) {
      const { id } = (await maker.post('/api/sections/', { name: 'Tiles' })).body
      const fields = { intent: 'remove', id: String(id) }
      return [maker, await urlencoded(maker, '/settings/sections', fields)]
    },
    to: '/settings/sections?done=removed',
    shows: 'Section removed',
  },
  'holiday: go on holiday': {
    sends: async ({ maker }) => [
      maker,
      await urlencoded(maker, '/settings/holiday', { from: '2999-01-01', until: '2999-01-09', note: '' }),
    ],
    to: '/settings/holiday?done=saved',
    shows: 'Your holiday begins on January 1, 2999.',
  },
  'holiday: end it': {
    sends: async ({ maker }) => [maker, await urlencoded(maker, '/settings/holiday', { intent: 'end' })],
    to: '/settings/holiday?done=ended',
    shows: 'Your holiday is over: your pieces can be ordered',
  },
  'notifications: mark all as read': {
    async sends({ maker, create }) {
      await create()
      const { newest_unread } = (await maker.get('/api/notifications/')).body
      return [maker, await urlencoded(maker, '/notifications', { newest: newest_unread })]
    },
    to: '/notifications',
    shows: '\nA review of Speckled mug\n',
  },
  'confirmEmail: confirm the address': {
    async sends({ shop, shopper }) {
      const { id, email } = shopper.user
      const token = 'T'.repeat(43)
      await shop.rows(`
        insert into email_links (user_id, purpose, email, token_hashes, expires_at)
        values (${id}, 'confirm', '${email}', array[sha256('${token}')], now() + interval '1 day')`)
      const visitor = shop.visitor()
      return [visitor, await urlencoded(visitor, `/confirm-email?token=${token}`, {})]
    },
    to: '/confirm-email?done=confirmed',
    shows: 'Thank you. Your e-mail address is confirmed',
  },
  'shopSettings: save the settings of a shop': {
    sends: async ({ maker }) => [
      maker,
      await multipart(maker, '/settings/shop', { words: 'Round.', place: '' }),
    ],
    to: '/settings/shop?done=saved',
    shows: '\nSaved\n',
  },
  'shopSettings: remove the picture of a shop': {
    sends: async ({ maker }) => [
      maker,
      await multipart(maker, '/settings/shop', { ...(await profileOf(maker)), intent: 'remove' }),
    ],
    to: '/settings/shop?done=removed',
    shows: 'Picture removed',
  },
  'policies: say how one does things': {
    sends: async ({ maker }) => [maker, await multipart(maker, '/settings/policies', aShopPage)],
    to: '/settings/policies?done=saved',
    shows: '\nSaved\n',
  },
  'policies: remove the wide photo': {
    async sends({ maker }) {
      const { body } = await maker.get(`/api/shops/${maker.user.username}/page`)
      const { contact_email, contact_phone, returns, custom_orders, care } = body
      const typed = { contact_email, contact_phone, returns, custom_orders, care }
      return [maker, await multipart(maker, '/settings/policies', { ...typed, intent: 'remove' })]
    },
    to: '/settings/policies?done=removed',
    shows: 'Photo removed',
  },
  'newListing: add a listing': {
    sends: async ({ maker }) => [maker, await multipart(maker, '/products/new', { ...typed, key: 'new' })],
    to: '/your-listings?done=added',
    shows: 'Saved. Your new piece is on top',
  },
  'editListing: edit a listing': {
    sends: async ({ maker, page }) => [maker, await multipart(maker, `${page}/edit`, typed)],
    to: '/your-listings?done=saved',
    shows: 'Your changes are saved',
  },
  'yourListings: delete a listing': {
    sends: async ({ maker, mug }) => [
      maker,
      await urlencoded(maker, '/your-listings', { id: String(mug.id) }),
    ],
    to: '/your-listings',
    shows: 'No listings found.',
  },
  'yourListings: retire a listing': {
    sends: async ({ maker, mug }) => [
      maker,
      await urlencoded(maker, '/your-listings', { id: String(mug.id), intent: 'retire' }),
    ],
    to: '/your-listings?done=retired',
    shows: 'Retired. You find it under Retired, and can bring it back',
  },
  'yourListings: bring a listing back': {
    async sends({ maker, mug }) {
      await maker.post(`/api/products/${mug.id}/retire`)
      const fields = { id: String(mug.id), intent: 'restore' }
      return [maker, await urlencoded(maker, '/your-listings?state=retired', fields)]
    },
    to: '/your-listings?state=retired&done=restored',
    shows: 'It is back in your shop',
  },
  'yourListings: save prices and stock': {
    async sends({ maker, mug }) {
      const { id, version, price, stock } = mug
      const fields = { intent: 'prices', seen: `${id} ${version} ${price} ${stock}`, [`price-${id}`]: '8' }
      return [maker, await urlencoded(maker, '/your-listings', { ...fields, key: 'one' })]
    },
    to: '/your-listings?done=priced',
    shows: 'Your prices and stock are saved',
  },
  'changeListings: change many at once': {
    async sends({ maker, mug }) {
      const fields = {
        change: 'price_set',
        amount: '8',
        row: `${mug.id} ${mug.version} ${mug.price} ${mug.stock}`,
      }
      return [maker, await urlencoded(maker, '/your-listings/change', { ...fields, key: 'one' })]
    },
    to: '/your-listings?done=changed',
    shows: 'Your change is made',
  },
  'favourites: fill a heart': {
    sends: async ({ shopper, mug, page }) => [
      shopper,
      await urlencoded(shopper, '/favourites', { id: String(mug.id), back: page, saved: 'yes' }),
    ],
    to: '/products/P',
    shows: '(pressed)',
  },
  'favourites: fill a heart of a page that does not say which it is': {
    sends: async ({ shopper, mug }) => [
      shopper,
      await urlencoded(shopper, '/favourites', { id: String(mug.id), saved: 'yes' }),
    ],
    to: '/favourites',
    shows: 'Speckled mug',
  },
  'product: add to the cart': {
    sends: async ({ shopper, page }) => [shopper, await urlencoded(shopper, page, { quantity: '2' })],
    to: '/products/P?done=added',
    shows: 'Item added to cart!',
  },
  'cart: choose quantities': {
    async sends({ shopper, put }) {
      const line = await put()
      const fields = { intent: 'quantities', [`quantity-${line}`]: '3' }
      return [shopper, await urlencoded(shopper, '/cart', fields)]
    },
    to: '/cart?done=saved',
    shows: 'Total Price: $30.00',
  },
  'cart: write a note to a maker': {
    async sends({ shopper, put, maker }) {
      await put()
      const fields = { intent: 'quantities', [`note-${maker.user.id}`]: 'For\r\na child' }
      return [shopper, await urlencoded(shopper, '/cart', fields)]
    },
    to: '/cart?done=saved',
    shows: '\nFor\na child\n',
  },
  'cart: take what is left of one line': {
    async sends({ shopper, put }) {
      const fields = { intent: 'update', id: String(await put()), quantity: '2' }
      return [shopper, await urlencoded(shopper, '/cart?checkout=yes', fields)]
    },
    to: '/cart?checkout=yes',
    shows: 'Total Price: $20.00',
  },
  'cart: remove from the cart': {
    sends: async ({ shopper, put }) => [
      shopper,
      await urlencoded(shopper, '/cart', { intent: 'remove', id: String(await put()) }),
    ],
    to: '/cart?done=removed',
    shows: 'Item was removed from your cart',
  },
  'cart: remove from the cart what can be put back': {
    async sends({ shopper, put, mug }) {
      const line = await put()
      const fields = { intent: 'remove', [`quantity-${line}`]: '1' }
      const response = await urlencoded(shopper, `/cart?line=${line}&undo=${mug.id}x1`, fields)
      expect(response.headers.location).toBe(`/cart?done=removed&undo=${mug.id}x1`)
      return [shopper, await urlencoded(shopper, '/cart', { intent: 'undo', undo: `${mug.id}x2` })]
    },
    to: '/cart',
    shows: 'Total Price: $20.00',
  },
  'cart: proceed to checkout with a quantity that was chosen': {
    async sends({ shopper, put }) {
      const fields = { intent: 'proceed', [`quantity-${await put()}`]: '3' }
      return [shopper, await urlencoded(shopper, '/cart', fields)]
    },
    to: '/cart?checkout=yes',
    shows: '3 × Speckled mug',
  },
  'cart: place an order': {
    async sends({ shopper, put }) {
      await put()
      return [shopper, await urlencoded(shopper, '/cart?checkout=yes', { intent: 'checkout', key: 'once' })]
    },
    to: '/orders/view',
    shows: 'Product Not Shipped Yet',
  },
  'cancelOrder: cancel an order': {
    async sends({ shopper, put }) {
      await put()
      const { id } = (await shopper.post('/api/orders/checkout')).body
      return [shopper, await urlencoded(shopper, `/orders/${id}/delete-order`, {})]
    },
    to: '/orders/view?done=cancelled',
    shows: 'The order is cancelled. Its maker has been told',
  },
  'order: write to the maker': {
    async sends({ shopper, order }) {
      const fields = { intent: 'message', text: 'Is it blue?', key: 'one' }
      return [shopper, await urlencoded(shopper, `/orders/${await order()}`, fields)]
    },
    to: '/orders/O?done=message',
    shows: 'Is it blue?',
  },
  'order: mark messages as read': {
    async sends({ maker, shopper, order }) {
      const id = await order()
      const { body } = await maker.post(`/api/orders/${id}/messages`, { text: 'It is.' })
      const fields = { intent: 'read', up_to: String(body.id) }
      return [shopper, await urlencoded(shopper, `/orders/${id}`, fields)]
    },
    to: '/orders/O',
    shows: 'It is.',
  },
  'write: ask a maker': {
    async sends({ maker, shopper, mug }) {
      const fields = { intent: 'message', text: 'Is it blue?', key: 'one' }
      return [shopper, await urlencoded(shopper, `${toMaker(maker)}?listing=${mug.id}`, fields)]
    },
    to: '/messages/C?done=sent',
    shows: 'Is it blue?',
  },
  'direct: write in a conversation': {
    async sends({ maker, shopper }) {
      const id = await asked(shopper, maker)
      const fields = { intent: 'message', text: 'Or green?', key: 'two' }
      return [shopper, await urlencoded(shopper, `/messages/${id}`, fields)]
    },
    to: '/messages/C?done=message',
    shows: 'Or green?',
  },
  'direct: mark messages as read': {
    async sends({ maker, shopper }) {
      const id = await asked(shopper, maker)
      const { body } = await maker.post(`/api/messages/${id}`, { text: 'It is.' })
      const fields = { intent: 'read', up_to: String(body.id) }
      return [shopper, await urlencoded(shopper, `/messages/${id}`, fields)]
    },
    to: '/messages/C',
    shows: 'It is.',
  },
  'direct: stop the messages': {
    async sends({ maker, shopper }) {
      const id = await asked(shopper, maker)
      return [shopper, await urlencoded(shopper, `/messages/${id}`, { intent: 'stop' })]
    },
    to: '/messages/C?done=stopped',
    shows: 'Allow messages again',
  },
  'direct: allow messages again': {
    async sends({ maker, shopper }) {
      const id = await asked(shopper, maker)
      await shopper.put(`/api/messages/${id}/stop`)
      return [shopper, await urlencoded(shopper, `/messages/${id}`, { intent: 'allow' })]
    },
    to: '/messages/C?done=allowed',
    shows: 'Stop messages',
  },
  'order: say that a parcel was received': {
    async sends({ shop, shopper, mug, order }) {
      const id = await order()
      const units = [{ product_id: mug.id, quantity: 1 }]
      const parcel = await record(shop.db, id, { kind: 'sent', role: 'maker' }, units)
      const fields = { intent: 'received', parcel: String(parcel) }
      return [shopper, await urlencoded(shopper, `/orders/${id}`, fields)]
    },
    to: '/orders/O?done=received',
    shows: 'Thank you. The maker can see that it has arrived',
  },
  'order: buy again': {
    sends: async ({ shopper, order }) => [
      shopper,
      await urlencoded(shopper, `/orders/${await order()}`, { intent: 'again' }),
    ],
    to: '/cart',
    shows: 'Speckled mug',
  },
  'sold: mark orders as ready': {
    sends: async ({ maker, order }) => [
      maker,
      await urlencoded(maker, '/sold', { order: String(await order()), intent: 'ready', key: 'one' }),
    ],
    to: '/sold?done=ready',
    shows: 'Marked as ready. Their shoppers get letters soon',
  },
  'sale: send a parcel': {
    async sends({ maker, mug, order }) {
      const fields = { intent: 'sent', key: 'one', carrier: '', tracking: '', [`units-${mug.id}`]: '1' }
      return [maker, await urlencoded(maker, `/sold/${await order()}`, fields)]
    },
    to: '/sold/O?done=sent',
    shows: 'Marked as sent. The shopper gets a letter soon',
  },
  'sale: cancel pieces': {
    async sends({ maker, mug, order }) {
      const fields = { intent: 'cancelled', key: 'one', reason: 'It cracked.', [`units-${mug.id}`]: '1' }
      return [maker, await urlencoded(maker, `/sold/${await order()}`, fields)]
    },
    to: '/sold/O?done=cancelled',
    shows: 'Cancelled, and back in your stock where still for sale. The shopper is told why',
  },
  'sale: record a payment': {
    async sends({ maker, order }) {
      const fields = { intent: 'paid', key: 'one', amount: '5', day: '2026-01-02', note: '' }
      return [maker, await urlencoded(maker, `/sold/${await order()}`, fields)]
    },
    to: '/sold/O?done=paid',
    shows: 'The payment is recorded',
  },
  'paymentWords: say how to pay': {
    sends: async ({ maker }) => [maker, await urlencoded(maker, '/settings/payment', { words: 'In cash.' })],
    to: '/settings/payment?done=saved',
    shows: '\nSaved\n',
  },
  'createReview: leave a review': {
    sends: async ({ shopper, page }) => [
      shopper,
      await urlencoded(shopper, `${page}/create-review`, { review: 'Holds tea.', stars: '5' }),
    ],
    to: '/products/P?done=reviewed',
    shows: 'Thank you. Your review is here',
  },
  'editReview: edit a review': {
    async sends({ shopper, page, create }) {
      await create()
      const fields = { review: 'Holds soup.', stars: '4' }
      return [shopper, await urlencoded(shopper, `${page}/edit-review`, fields)]
    },
    to: '/products/P?done=changed',
    shows: 'Your review is changed',
  },
  'deleteReview: delete a review': {
    async sends({ shopper, page, create }) {
      await create()
      return [shopper, await urlencoded(shopper, `${page}/delete-review`, {})]
    },
    to: '/products/P',
    shows: 'No reviews yet',
  },
  'reply: reply to a review': {
    async sends({ maker, page, create }) {
      const id = await create()
      return [maker, await urlencoded(maker, `${page}/reply?review=${id}`, { reply: 'Thank you.' })]
    },
    to: '/products/P#reviews',
    shows: 'Thank you.',
  },
  'reply: take a reply back': {
    async sends({ maker, page, create }) {
      const id = await create()
      await maker.put(`/api/reviews/${id}/reply`, { reply: 'Thank you.' })
      return [maker, await urlencoded(maker, `${page}/reply?review=${id}`, { intent: 'delete' })]
    },
    to: '/products/P#reviews',
    shows: 'Holds tea.',
  },
  'report: report a piece': {
    sends: async ({ shopper, mug }) => [
      shopper,
      await urlencoded(shopper, `/report?listing=${mug.id}`, { ...aReport }),
    ],
    to: '/report?listing=P&done=sent',
    shows: 'Thank you. Your report has arrived',
  },
  'notices: object to a decision': {
    async sends({ shop, maker, mug }) {
      const id = await hideListing(shop.db, null, mug.id, { reason: 'A copy', rule: '' })
      const fields = { id: String(id), words: 'It is my own work.' }
      return [maker, await urlencoded(maker, '/settings/notices', fields)]
    },
    to: '/settings/notices?done=objected',
    shows: 'Your objection has arrived',
  },
  'notices: delete a hidden review': {
    async sends({ shop, shopper, create }) {
      const review = await create()
      await hideReviewOf(shop.db, null, review, { reason: 'An insult', rule: '' })
      return [shopper, await urlencoded(shopper, '/settings/notices', { review: String(review) })]
    },
    to: '/settings/notices?done=deleted',
    shows: 'Your review is deleted',
  },
  'notices: delete a hidden reply': {
    async sends({ shop, maker, create }) {
      const review = await create()
      await maker.put(`/api/reviews/${review}/reply`, { reply: 'You fool.' })
      const statement = { reason: 'An insult', rule: '' }
      const id = await transaction(shop.db, db => hideReplyTo(db, null, review, statement))
      return [maker, await urlencoded(maker, '/settings/notices', { reply: String(id) })]
    },
    to: '/settings/notices?done=reply-deleted',
    shows: 'Your reply is deleted',
  },
  'sellerDetails: say who sells': {
    async sends({ maker }) {
      // A box that is not ticked is not sent.
      const { outside_eu: _, ...texts } = sellerDetails
      return [maker, await urlencoded(maker, '/settings/seller', { ...texts, is_trader: 'yes' })]
    },
    to: '/settings/seller?done=saved',
    shows: 'Saved',
  },
  'sell: accept an invitation': {
    async sends({ shop, shopper }) {
      const otto = await openOperator(shop)
      const link = { note: 'The spring fair', uses: 1, days: 7 }
      const { path } = (await otto.post('/api/operate/invitations', link)).body
      return [shopper, await urlencoded(shopper, '/sell', { code: path.split('=')[1] })]
    },
    to: '/sell?done=invited',
    shows: 'You may sell here. Welcome',
  },
  'operate: confirm that it is you': {
    async sends({ shop }) {
      const otto = await nameOperator(shop, 'otto')
      const fields = { intent: 'confirm', current_password: PASSWORD, next: '/operate/log' }
      return [otto, await urlencoded(otto, '/operate/confirm', fields)]
    },
    to: '/operate/log',
    shows: 'named an operator',
  },
  'pages: save a draft of a page': {
    async sends({ shop }) {
      const otto = await openOperator(shop)
      const fields = { intent: 'save', text: 'We knit.', base: '', version: '' }
      return [otto, await urlencoded(otto, '/operate/pages/about', fields)]
    },
    to: '/operate/pages/about?done=saved',
    shows: 'The draft is saved',
  },
  'brand: change name and look': {
    async sends({ shop }) {
      const otto = await openOperator(shop)
      const { team: _, ...fields } = brandInput
      return [otto, await urlencoded(otto, '/operate/brand', fields)]
    },
    to: '/operate/brand?done=saved',
    shows: 'Saved. Everybody sees it now',
  },
  'setupLink: become the first operator': {
    async sends({ shop, shopper }) {
      // In the shop of these tests somebody may be an operator already.
      await shop.rows('delete from operators')
      return [shopper, await urlencoded(shopper, (await makeSetupLink(shop.db)) ?? '', {})]
    },
    to: '/operate/confirm?next=%2Foperate%2Fsetup',
    shows: 'Your password',
  },
  'pages: choose that new members agree to a page': {
    async sends({ shop }) {
      const otto = await openOperator(shop)
      const fields = { intent: 'agreement', agreed_at_signup: 'on', reason: 'The law' }
      return [otto, await urlencoded(otto, '/operate/pages/imprint', fields)]
    },
    to: '/operate/pages/imprint?done=asked',
    shows: 'Saved',
  },
  'operate: hide a listing': {
    async sends({ shop, mug }) {
      const otto = await openOperator(shop)
      const fields = { intent: 'hide-listing', id: String(mug.id), reason: 'A copy', rule: '' }
      return [otto, await urlencoded(otto, '/operate/listings?q=mug', fields)]
    },
    to: '/operate/listings?q=mug&done=hide-listing',
    shows: 'Hidden. Its maker gets your reason',
  },
}
