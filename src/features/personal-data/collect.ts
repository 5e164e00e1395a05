import { sql } from 'kysely'
import type { Id } from '#contract'
import * as draftPictures from '#draft-pictures/draft-pictures.ts'
import * as drafts from '#drafts/drafts.ts'
import type { OwnedImage } from '#images/owned.ts'
import { listAfter as noticesAfter } from '#moderation/notices.ts'
import { fromCents } from '#money'
import { agreedBy } from '#pages/agreements.ts'
import type { Database } from '#platform/database/database.ts'
import { conversations } from './collect-conversations.ts'
import { listings } from './collect-listings.ts'
import { delivery, orders, postage, sales, sold } from './collect-orders.ts'
import { replies, reviews } from './collect-reviews.ts'
import { selling } from './collect-selling.ts'
import { PAGE_SIZE, pages } from './pages.ts'

/** Where a file of an image is in the archive. */
export const pathOf = ({ id }: Pick<OwnedImage, 'id'>, file: string): string =>
  `photos/${id}.${file.split('.').at(-1)}`

/** Begins a read-only transaction with one snapshot of the data. The caller rolls it back. */
export const beginSnapshot = (db: Database) =>
  db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()

/**
 * Everything that the shop stores about a user, as they get it. Long lists are read page by page, later. Moments are ISO
 * 8601 in UTC, amounts as on the pages.
 * @param db of `beginSnapshot`
 * @param images those of `ownedBy`
 */
export async function collect(db: Database, id: Id, images: OwnedImage[]): Promise<Record<string, unknown>> {
  // The server's own time zone would be in moments that PostgreSQL writes as JSON.
  await sql`set local timezone to 'UTC'`.execute(db)
  // An object store may take its time between two pages.
  await sql`set local idle_in_transaction_session_timeout to '1min'`.execute(db)
  return {
    account: await account(db, id),
    former_usernames: await db
      .selectFrom('former_usernames')
      .select(['username', 'left_at', 'held_until'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute(),
    sessions: await db
      .selectFrom('sessions')
      .select(['id', 'device', 'created_at', 'used_at', 'expires_at'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute(),
    /** Browsers that have logged in: they are recognized until then. */
    known_browsers: await db
      .selectFrom('device_cookies')
      .select('expires_at')
      .where('user_id', '=', id)
      .orderBy('expires_at')
      .execute(),
    /** Pages of the shop that they agreed to, with the texts. */
    agreements: await agreedBy(db, id),
    passkeys: await db
      .selectFrom('passkeys')
      .select(['id', 'name', 'backed_up', 'created_at', 'used_at'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute(),
    /** Kinds of letters that are switched off. */
    letters_off: await db
      .selectFrom('letters_off')
      .select('kind')
      .where('user_id', '=', id)
      .orderBy('kind')
      .execute(),
    shop:
      (await db
        .selectFrom('shops')
        .select(['name', 'shows_name', 'words', 'place', 'image_id'])
        .select(['away_from', 'away_until', 'away_note', 'payment_words'])
        .select(['banner_id', 'contact_email', 'contact_phone', 'returns', 'custom_orders', 'care'])
        .select('takes_messages')
        .where('user_id', '=', id)
        .executeTakeFirst()) ?? null,
    selling: await selling(db, id),
    /** The names that their shop has or had, as they are compared. */
    shop_names: await db
      .selectFrom('shop_names')
      .select(['look', 'chosen_at'])
      .where('user_id', '=', id)
      .orderBy('chosen_at')
      .execute(),
    postage: await postage(db, id),
    sections: await sections(db, id),
    photos: images.map(({ files, folder: _, ...image }) => ({
      ...image,
      files: files.map(file => pathOf(image, file)),
    })),
    /** Photos of imported drafts, those that are still to come too. */
    imported_photos: pages(
      after => draftPictures.listAfter(db, id, after, PAGE_SIZE),
      ({ id }) => id,
    ),
    listings: listings(db, id),
    drafts: pages(
      after => drafts.listAfter(db, id, after),
      ({ id }) => id,
    ),
    reviews: await reviews(db, id),
    replies: replies(db, id),
    /** Decisions of operators about them. */
    notices: pages(
      after => noticesAfter(db, id, after, PAGE_SIZE),
      ({ id }) => id,
    ),
    reports: await db
      .selectFrom('reports')
      .select(['id', 'product_id', 'review_id', 'of_reply', 'grounds', 'words', 'created_at'])
      .where('reporter_id', '=', id)
      .orderBy('id')
      .execute(),
    saved: await db
      .selectFrom('favourites as f')
      .innerJoin('products as p', 'p.id', 'f.product_id')
      .select(['f.product_id', 'p.name', 'f.created_at'])
      .where('f.user_id', '=', id)
      .orderBy('f.created_at')
      .orderBy('f.product_id')
      .execute(),
    addresses: await addresses(db, id),
    cart: await cart(db, id),
    delivery: await delivery(db, id),
    orders: orders(db, id),
    sold: sold(db, id),
    sales: sales(db, id),
    conversations: conversations(db, id),
  }
}

const account = (db: Database, id: Id) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'username',
      'email',
      'first_name',
      'last_name',
      'created_at',
      'email_confirmed_at',
      'notifications_seen_at',
      'suspended_at',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const sections = (db: Database, id: Id) =>
  db
    .selectFrom('sections')
    .select(['id', 'name', 'position', 'created_at'])
    .where('seller_id', '=', id)
    .orderBy('position')
    .execute()

const addresses = (db: Database, id: Id) =>
  db
    .selectFrom('addresses')
    .select(['id', 'name', 'line1', 'line2', 'city', 'region', 'postal_code', 'country', 'created_at'])
    .where('user_id', '=', id)
    .orderBy('id')
    .execute()

async function cart(db: Database, id: Id) {
  const rows = await db
    .selectFrom('cart_lines as l')
    .innerJoin('products as p', 'p.id', 'l.product_id')
    .select([
      'l.id',
      'l.product_id',
      'l.variant_id',
      'p.name',
      'l.quantity',
      'l.created_at',
      'l.added_price_cents',
      'l.answers',
    ])
    .where('l.user_id', '=', id)
    .orderBy('l.id')
    .execute()
  return rows.map(({ added_price_cents, ...row }) => ({
    ...row,
    added_price: added_price_cents === null ? null : fromCents(added_price_cents),
  }))
}
