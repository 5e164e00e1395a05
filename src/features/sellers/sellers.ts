import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { findByUsername, userNamed } from '#accounts/find-user.ts'
import type { Id } from '#contract'
import type { Image } from '#images/contract.ts'
import { imageColumns, imageDto } from '#images/dto.ts'
import * as images from '#images/images.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import type { Files } from '#platform/storage/files.ts'
import { isAway } from '#postage/away.ts'
import { Problem } from '#problem'
import { makerName } from '#products/maker-name.ts'
import { meanRating } from '#products/mean-rating.ts'
import type { Shop, ShopDraft } from './contract.ts'
import { addressOf, choose } from './shop-name.ts'

/** A seller by username, ignoring case; by a former one and by their shop names too. @throws Problem 404 unknown or suspended */
export async function find(db: Database, username: string): Promise<Shop> {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('shops as m', 'm.user_id', 'u.id')
    .select(['u.id', 'u.username', 'u.created_at', 'm.words', 'm.place', 'm.name', 'm.shows_name'])
    .select(makerName.as('display_name'))
    .select(sql<string | null>`case when ${isAway('m')} then m.away_until end`.as('away_until'))
    .select('m.away_note')
    .select(eb => [
      jsonObjectFrom(
        eb
          .selectFrom('images as i')
          .select(['i.id', ...imageColumns])
          .whereRef('i.id', '=', 'm.image_id'),
      ).as('picture'),
      jsonObjectFrom(
        eb
          .selectFrom('products as p')
          .innerJoin('ratings as r', 'r.product_id', 'p.id')
          .select(({ fn }) => [
            fn.coalesce(fn.sum<number>('r.reviews'), sql<number>`0`).as('reviews'),
            fn.coalesce(fn.sum<number>('r.stars'), sql<number>`0`).as('stars'),
          ])
          .whereRef('p.seller_id', '=', 'u.id')
          .where('p.deleted_at', 'is', null),
      ).as('sums'),
    ])
    .where('u.id', '=', userNamed(username))
    .where('u.suspended_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw missing()
  const { created_at, words, place, name, shows_name, picture, sums, away_until, away_note, ...maker } = row
  const { reviews = 0, stars = 0 } = sums ?? {}
  return {
    ...maker,
    name: name ?? '',
    address: addressOf(name ?? ''),
    shows_name: shows_name ?? false,
    words: words ?? '',
    place: place ?? '',
    picture: picture && imageDto(picture),
    member_since: created_at.toISOString(),
    rating: meanRating(stars, reviews),
    review_count: reviews,
    ...(away_until ? { away: { until: away_until, note: away_note ?? '' } } : {}),
  }
}

/** Replaces the profile. @throws Problem 404 unknown username, 403 someone else's, and for the shop name as `choose` */
export async function update(
  db: Database,
  userId: Id,
  username: string,
  { name, ...fields }: ShopDraft,
): Promise<Shop> {
  await onlyOwner(db, userId, username)
  await transaction(db, async db => {
    if (name !== undefined) await choose(db, userId, name)
    await db
      .insertInto('shops')
      .values({ user_id: userId, ...fields })
      .onConflict(conflict => conflict.column('user_id').doUpdateSet(fields))
      .execute()
  })
  return find(db, username)
}

/**
 * Replaces the seller's picture (jpeg, png or gif) and deletes the old files.
 * @throws Problem 400 for a file that is not accepted, 503 while too many uploads wait
 */
export async function setPicture(db: Database, files: Files, userId: Id, bytes: Buffer): Promise<Image> {
  const stored = await images.storePortrait(files, bytes)
  const [picture, before] = await transaction(db, async db => {
    const before = await lock(db, userId)
    const picture = await images.add(db, stored, userId)
    await db.updateTable('shops').set({ image_id: picture.id }).where('user_id', '=', userId).execute()
    return [picture, before === null ? undefined : await images.remove(db, before)]
  })
  if (before !== undefined) await images.discard(files, before)
  return picture
}

/** Deletes the seller's picture, with its files. */
export async function removePicture(db: Database, files: Files, userId: Id): Promise<void> {
  const folder = await transaction(db, async db => {
    const picture = await lock(db, userId)
    return picture === null ? undefined : images.remove(db, picture)
  })
  if (folder !== undefined) await images.discard(files, folder)
}

/** Before a user is deleted: deletes profile and picture. @returns the picture's folder, to discard after the commit */
export async function erase(db: Database, userId: Id): Promise<string | undefined> {
  // Not by `lock`, which inserts: a first profile that is being saved waits for the account, which the caller has locked.
  await db.deleteFrom('shop_names').where('user_id', '=', userId).execute()
  const shop = await db
    .deleteFrom('shops')
    .where('user_id', '=', userId)
    .returning('image_id')
    .executeTakeFirst()
  return shop?.image_id ? images.remove(db, shop.image_id) : undefined
}

/** Locks the seller's row until the transaction ends, which serializes picture changes. @returns the picture's id */
async function lock(db: Database, userId: Id): Promise<Id | null> {
  await db
    .insertInto('shops')
    .values({ user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const shop = await db
    .selectFrom('shops')
    .select('image_id')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return shop.image_id
}

/** Requires that the profile is the user's own. @throws Problem 404 unknown username, 403 someone else's */
export async function onlyOwner(db: Database, person: Id, username: string): Promise<void> {
  const owner = await findByUsername(db, username)
  if (owner === undefined) throw missing()
  if (owner !== person) throw new Problem(403, 'Only its maker may change a shop')
}

const missing = () => new Problem(404, 'There is no such maker')
