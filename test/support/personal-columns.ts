/**
 * Every column of the database: what it says of a person, and what deleting the account does with it. A new column belongs on
 * one of these lists; docs/security.md says the same in words.
 *
 * - `gone`: the row is deleted with the account.
 * - `emptied`: the row stays without it.
 * - `kept`: it stays, and belongs to the row of a deleted account; the comment says why.
 */
type Fate = 'gone' | 'emptied' | 'kept'
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
  },
  // For a year the hashes alone keep others from the username.
  former_usernames: {
    user_id: 'emptied',
    username: 'emptied',
    name_hash: 'kept',
    skeleton_hash: 'kept',
    left_at: 'kept',
    held_until: 'kept',
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
  // For a day, so that an open form can say that the session has ended. Names nobody.
  ended_sessions: { token_hash: 'kept', ended_at: 'kept' },
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
  // Letters are deleted with the account; an error may quote the address.
  outbox: { recipient: 'gone', kind: 'gone', subject: 'gone', last_error: 'gone' },
  // E-mail addresses, networks and user ids; swept after two hours, those of downloads after two days.
  rate_limits: { subject: 'kept', window_start: 'kept', count: 'kept' },
  shops: { user_id: 'gone', words: 'gone', place: 'gone', image_id: 'gone' },
  // Orders have the name and price of a listing, so these stay.
  products: {
    id: 'kept',
    seller_id: 'emptied',
    name: 'kept',
    category: 'kept',
    description: 'emptied',
    price_cents: 'kept',
    created_at: 'kept',
    changed_at: 'kept',
    deleted_at: 'kept',
    added_as: 'emptied',
    version: 'kept',
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
    id: 'kept',
    product_id: 'kept',
    user_id: 'emptied',
    review: 'kept',
    stars: 'kept',
    created_at: 'kept',
    updated_at: 'kept',
    reply: 'emptied',
    replied_at: 'emptied',
  },
  // The books of the shop and of the others: who ordered is emptied, what was ordered stays.
  orders: {
    id: 'kept',
    user_id: 'emptied',
    status: 'kept',
    total_cents: 'kept',
    idempotency_key: 'emptied',
    created_at: 'kept',
    cancelled_at: 'kept',
  },
  order_lines: { order_id: 'kept', product_id: 'kept', name: 'kept', price_cents: 'kept', quantity: 'kept' },
  // Append-only. `sent_as` is a random key of one form.
  stock_ledger: {
    id: 'kept',
    product_id: 'kept',
    units: 'kept',
    reason: 'kept',
    order_id: 'kept',
    created_at: 'kept',
    sent_as: 'kept',
  },
}

/** Says nothing of a person: sums, what is derived, and the shop itself. */
export const impersonal: Record<string, string[]> = {
  users: ['erased_at'],
  former_usernames: ['id'],
  catalogue: ['category', 'price_cents', 'created_at', 'in_stock', 'rating', 'reviews'],
  vocabulary: ['mends'],
  outbox: ['id', 'created_at', 'due_at', 'tries', 'sent_at', 'failed_at'],
  ratings: ['product_id', 'reviews', 'stars'],
  stock: ['product_id', 'quantity'],
  installation: ['id'],
  migrations: ['name', 'hash', 'applied_at'],
}
