import { ListingDraft } from '#products/contract.ts'
import { filled } from './text-fields.ts'

/**
 * Every column of the database: the personal data in it, and what deleting the account does with it. A new column belongs on
 * one of these lists; docs/security.md has the same in words.
 *
 * - `gone`: the row is deleted with the account.
 * - `emptied`: the row stays without it.
 * - `retained`: it stays, and belongs to the row of a deleted account; the comment has the reason.
 */
type Fate = 'gone' | 'emptied' | 'retained'
export const personal: Record<string, Record<string, Fate>> = {
  users: {
    id: 'gone',
    username: 'gone',
    username_skeleton: 'gone',
    email: 'gone',
    first_name: 'gone',
    last_name: 'gone',
    password_hash: 'gone',
    created_at: 'gone',
    notifications_seen_at: 'gone',
    email_confirmed_at: 'gone',
  },
  // For a year the hashes alone hold the username.
  former_usernames: {
    user_id: 'emptied',
    username: 'emptied',
    name_hash: 'retained',
    skeleton_hash: 'retained',
    left_at: 'retained',
    held_until: 'retained',
  },
  sessions: {
    id: 'gone',
    token_hash: 'gone',
    user_id: 'gone',
    device: 'gone',
    created_at: 'gone',
    used_at: 'gone',
    expires_at: 'gone',
  },
  // For a day, so that an open form can show that the session has ended. Contains no name.
  ended_sessions: { token_hash: 'retained', ended_at: 'retained' },
  device_cookies: { token_hash: 'gone', user_id: 'gone', expires_at: 'gone' },
  passkeys: {
    id: 'gone',
    user_id: 'gone',
    credential_id: 'gone',
    public_key: 'gone',
    user_handle: 'gone',
    counter: 'gone',
    transports: 'gone',
    backed_up: 'gone',
    name: 'gone',
    created_at: 'gone',
    used_at: 'gone',
  },
  passkey_challenges: {
    challenge: 'gone',
    purpose: 'gone',
    user_id: 'gone',
    user_handle: 'gone',
    expires_at: 'gone',
  },
  letters_off: { user_id: 'gone', kind: 'gone' },
  data_exports: {
    id: 'gone',
    user_id: 'gone',
    requested_at: 'gone',
    due_at: 'gone',
    tries: 'gone',
    leased_until: 'gone',
    made_at: 'gone',
    failed_at: 'gone',
    last_error: 'gone',
    expires_at: 'gone',
    folder: 'gone',
    bytes: 'gone',
    link_hashes: 'gone',
  },
  // Requested for an address without an account, a row names no user: swept after seven days.
  email_links: {
    id: 'gone',
    user_id: 'gone',
    purpose: 'gone',
    email: 'gone',
    created_at: 'gone',
    token_hashes: 'gone',
    expires_at: 'gone',
    former_email: 'gone',
    used_at: 'gone',
  },
  security_events: { id: 'gone', user_id: 'gone', device: 'gone', passkey: 'gone', created_at: 'gone' },
  // Letters are deleted with the account; an error may quote the address.
  outbox: { recipient: 'gone', kind: 'gone', subject: 'gone', last_error: 'gone' },
  // E-mail addresses, networks and user ids; swept after two hours, those of archives after two days.
  rate_limits: { subject: 'retained', window_start: 'retained', count: 'retained' },
  shops: { user_id: 'gone', words: 'gone', place: 'gone', image_id: 'gone' },
  // Orders have the name and price of a listing, so these stay.
  products: {
    id: 'retained',
    seller_id: 'emptied',
    ...filled(ListingDraft, () => 'emptied'),
    name: 'retained',
    category: 'retained',
    price_cents: 'retained',
    created_at: 'retained',
    changed_at: 'retained',
    deleted_at: 'retained',
    added_as: 'emptied',
    version: 'retained',
  },
  images: {
    id: 'gone',
    product_id: 'gone',
    owner_id: 'gone',
    folder: 'gone',
    kind: 'gone',
    width: 'gone',
    height: 'gone',
    widths: 'gone',
    created_at: 'gone',
    colour: 'gone',
    bytes: 'gone',
  },
  // Made from the listings, and gone with them.
  catalogue: { product_id: 'gone', seller_id: 'gone', stems: 'gone' },
  vocabulary: { word: 'gone', stem: 'gone', said_by: 'gone' },
  favourites: { user_id: 'gone', product_id: 'gone', created_at: 'gone' },
  carts: { user_id: 'gone' },
  cart_lines: {
    id: 'gone',
    user_id: 'gone',
    product_id: 'gone',
    quantity: 'gone',
    created_at: 'gone',
    added_price_cents: 'gone',
  },
  // Words and stars stay by the person's choice; else the row is gone.
  reviews: {
    id: 'retained',
    product_id: 'retained',
    user_id: 'emptied',
    review: 'retained',
    stars: 'retained',
    created_at: 'retained',
    updated_at: 'retained',
    reply: 'emptied',
    replied_at: 'emptied',
  },
  // The books of the shop and of the others: who ordered is emptied, what was ordered stays.
  orders: {
    id: 'retained',
    user_id: 'emptied',
    status: 'retained',
    total_cents: 'retained',
    idempotency_key: 'emptied',
    created_at: 'retained',
    cancelled_at: 'retained',
    cancelled_cents: 'retained',
    paid_cents: 'retained',
    refunded_cents: 'retained',
  },
  order_lines: {
    order_id: 'retained',
    product_id: 'retained',
    name: 'retained',
    price_cents: 'retained',
    quantity: 'retained',
  },
  // Append-only. `sent_as` is a random key of one form.
  stock_ledger: {
    id: 'retained',
    product_id: 'retained',
    units: 'retained',
    reason: 'retained',
    order_id: 'retained',
    created_at: 'retained',
    sent_as: 'retained',
  },
}

/** No personal data: sums, what is derived, and the shop itself. */
export const impersonal: Record<string, string[]> = {
  users: ['erased_at'],
  former_usernames: ['id'],
  catalogue: ['category', 'price_cents', 'created_at', 'in_stock', 'rating', 'reviews'],
  vocabulary: ['mends'],
  outbox: ['id', 'created_at', 'due_at', 'tries', 'sent_at', 'failed_at', 'notify'],
  ratings: ['product_id', 'reviews', 'stars'],
  stock: ['product_id', 'quantity'],
  installation: ['id', 'link_key'],
  migrations: ['name', 'hash', 'applied_at'],
}
