import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { findByUsername, userNamed } from '#accounts/find-user.ts'
import { recatalogue } from '#accounts/names.ts'
import { requireActive } from '#accounts/suspension.ts'
import type { Id } from '#contract'
import { imageColumns, imageDto } from '#images/dto.ts'
import * as images from '#images/images.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { isAway } from '#postage/away.ts'
import { Problem } from '#problem'
import { makerName } from '#products/maker-name.ts'
import { meanRating } from '#products/mean-rating.ts'
import type { Shop, ShopInput } from './contract.ts'
import { claim, giveUpNames, shopNamePath } from './shop-name.ts'

/** A seller by username, ignoring case; by a former one and by their shop names too. @throws Problem 404 unknown or suspended */
export async function find(db: Database, username: string): Promise<Shop> {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('shops as m', 'm.user_id', 'u.id')
    .select(['u.id', 'u.username', 'u.created_at', 'm.words', 'm.place', 'm.name', 'm.shows_name'])
    .select(sql<boolean>`coalesce(m.returns, '') <> ''`.as('says_returns'))
    .select(sql<boolean>`coalesce(m.takes_messages, true)`.as('takes_messages'))
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
    address: shopNamePath(name ?? ''),
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

/** Replaces the profile. @throws Problem 404 unknown username, 403 someone else's, and for the shop name as `claim` */
export async function update(db: Database, userId: Id, username: string, input: ShopInput): Promise<Shop> {
  await requireOwner(db, userId, username)
  await transaction(db, async db => {
    // Waits for new listings of this maker, and they wait: they are found by these names.
    await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    await requireActive(db, userId)
    const before = await db
      .selectFrom('shops')
      .select(['name', 'shows_name'])
      .where('user_id', '=', userId)
      .executeTakeFirst()
    const { name = before?.name ?? '', shows_name = before?.shows_name ?? false } = input
    const isNamedAnew = name !== (before?.name ?? '')
    if (isNamedAnew && name !== '') await claim(db, userId, name)
    await db
      .insertInto('shops')
      .values({ user_id: userId, ...input })
      .onConflict(conflict => conflict.column('user_id').doUpdateSet(input))
      .execute()
    if (isNamedAnew || shows_name !== (before?.shows_name ?? false)) await recatalogue(db, userId)
  })
  return find(db, username)
}

/** Before a user is deleted: deletes profile and pictures. @returns folders of the pictures, to discard after the commit */
export async function erase(db: Database, userId: Id): Promise<string[]> {
  // Not by `lock` of pictures.ts, which inserts: a first profile that is being saved waits for the account, which the
  // caller has locked.
  await giveUpNames(db, userId)
  const shop = await db
    .deleteFrom('shops')
    .where('user_id', '=', userId)
    .returning(['image_id', 'banner_id'])
    .executeTakeFirst()
  const folders = []
  for (const id of [shop?.image_id, shop?.banner_id]) if (id) folders.push(await images.remove(db, id))
  return folders
}

/** Requires that the profile is the user's own. @throws Problem 404 unknown username, 403 someone else's */
export async function requireOwner(db: Database, person: Id, username: string): Promise<void> {
  const owner = await findByUsername(db, username)
  if (owner === undefined) throw missing()
  if (owner !== person) throw new Problem(403, 'Only its maker may change a shop')
}

/** The refusal of an unknown maker. */
export const missing = (): Problem => new Problem(404, 'There is no such maker')
