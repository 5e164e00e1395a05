// Generated from the migrated database by `npm run types`; do not edit.
import type { Generated } from 'kysely'

export interface CartLinesTable {
  id: Generated<number>
  user_id: number
  product_id: number
  quantity: number
  created_at: Generated<Date>
  added_price_cents: number | null
}

export interface CartsTable {
  user_id: number
}

export interface CatalogueTable {
  product_id: number
  seller_id: number
  category: string
  price_cents: number
  created_at: Date
  in_stock: boolean
  rating: number
  reviews: number
  stems: string
}

export interface DataExportsTable {
  id: Generated<number>
  user_id: number
  requested_at: Generated<Date>
  due_at: Generated<Date | null>
  tries: Generated<number>
  leased_until: Date | null
  made_at: Date | null
  failed_at: Date | null
  last_error: string | null
  expires_at: Date | null
  folder: string | null
  bytes: number | null
  link_hashes: Generated<Buffer[]>
}

export interface DeviceCookiesTable {
  token_hash: Buffer
  user_id: number
  expires_at: Date
}

export interface EmailLinksTable {
  id: Generated<number>
  user_id: number | null
  purpose: string
  email: string
  created_at: Generated<Date>
  token_hashes: Generated<Buffer[]>
  expires_at: Date | null
  former_email: string | null
  used_at: Date | null
}

export interface EndedSessionsTable {
  token_hash: Buffer
  ended_at: Generated<Date>
}

export interface FavouritesTable {
  user_id: number
  product_id: number
  created_at: Generated<Date>
}

export interface FormerUsernamesTable {
  id: Generated<number>
  user_id: number | null
  username: string | null
  name_hash: Buffer
  skeleton_hash: Buffer
  left_at: Generated<Date>
  held_until: Date
}

export interface ImagesTable {
  id: Generated<number>
  product_id: number | null
  folder: string
  kind: string
  width: number | null
  height: number | null
  widths: number[]
  created_at: Generated<Date>
  colour: string | null
  owner_id: number | null
  bytes: number | null
}

export interface InstallationTable {
  id: Generated<string>
  link_key: Generated<Buffer>
}

export interface LettersOffTable {
  user_id: number
  kind: string
}

export interface OrderLinesTable {
  order_id: number
  product_id: number
  name: string
  price_cents: number
  quantity: number
}

export interface OrdersTable {
  id: Generated<number>
  user_id: number
  status: Generated<string>
  total_cents: number
  idempotency_key: string | null
  created_at: Generated<Date>
  cancelled_at: Date | null
}

export interface OutboxTable {
  id: Generated<string>
  kind: string
  subject: number
  recipient: number
  created_at: Generated<Date>
  due_at: Generated<Date | null>
  tries: Generated<number>
  sent_at: Date | null
  failed_at: Date | null
  last_error: string | null
  notify: Generated<boolean>
}

export interface PasskeyChallengesTable {
  challenge: Buffer
  purpose: string
  user_id: number | null
  user_handle: Buffer | null
  expires_at: Date
}

export interface PasskeysTable {
  id: Generated<number>
  user_id: number
  credential_id: string
  public_key: Buffer
  user_handle: Buffer
  counter: Generated<number>
  transports: Generated<string[]>
  backed_up: boolean
  name: string
  created_at: Generated<Date>
  used_at: Date | null
}

export interface ProductsTable {
  id: Generated<number>
  seller_id: number
  name: string
  category: string
  description: string
  price_cents: number
  created_at: Generated<Date>
  deleted_at: Date | null
  changed_at: Date | null
  added_as: string | null
  version: Generated<number>
}

export interface RateLimitsTable {
  subject: string
  window_start: Date
  count: number
}

export interface RatingsTable {
  product_id: number
  reviews: number
  stars: number
}

export interface ReviewsTable {
  id: Generated<number>
  product_id: number
  user_id: number
  review: string
  stars: number
  created_at: Generated<Date>
  updated_at: Date | null
  reply: string | null
  replied_at: Date | null
}

export interface SecurityEventsTable {
  id: Generated<number>
  user_id: number
  device: string
  passkey: string | null
  created_at: Generated<Date>
}

export interface SessionsTable {
  token_hash: Buffer
  user_id: number
  created_at: Generated<Date>
  expires_at: Date
  id: Generated<number>
  device: Generated<string>
  used_at: Generated<Date>
}

export interface ShopsTable {
  user_id: number
  words: Generated<string>
  place: Generated<string>
  image_id: number | null
}

export interface StockTable {
  product_id: number
  quantity: number
}

export interface StockLedgerTable {
  product_id: number
  id: Generated<number>
  units: number
  reason: string
  order_id: number | null
  created_at: Generated<Date>
  sent_as: string | null
}

export interface UsersTable {
  id: Generated<number>
  username: string
  email: string
  first_name: string
  last_name: string
  password_hash: string
  created_at: Generated<Date>
  username_skeleton: string | null
  erased_at: Date | null
  email_confirmed_at: Date | null
  notifications_seen_at: Generated<Date>
}

export interface VocabularyTable {
  word: string
  stem: string
  said_by: number | null
  mends: Generated<boolean>
}

export interface Schema {
  cart_lines: CartLinesTable
  carts: CartsTable
  catalogue: CatalogueTable
  data_exports: DataExportsTable
  device_cookies: DeviceCookiesTable
  email_links: EmailLinksTable
  ended_sessions: EndedSessionsTable
  favourites: FavouritesTable
  former_usernames: FormerUsernamesTable
  images: ImagesTable
  installation: InstallationTable
  letters_off: LettersOffTable
  order_lines: OrderLinesTable
  orders: OrdersTable
  outbox: OutboxTable
  passkey_challenges: PasskeyChallengesTable
  passkeys: PasskeysTable
  products: ProductsTable
  rate_limits: RateLimitsTable
  ratings: RatingsTable
  reviews: ReviewsTable
  security_events: SecurityEventsTable
  sessions: SessionsTable
  shops: ShopsTable
  stock: StockTable
  stock_ledger: StockLedgerTable
  users: UsersTable
  vocabulary: VocabularyTable
}
