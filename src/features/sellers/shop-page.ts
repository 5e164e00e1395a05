import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { userNamed } from '#accounts/find-user.ts'
import { requireActive } from '#accounts/suspension.ts'
import type { Id } from '#contract'
import { imageColumns, imageDto } from '#images/dto.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { describeBanner } from './pictures.ts'
import { missing } from './sellers.ts'
import type { ShopPage, ShopPageInput } from './shop-page-contract.ts'

/** What only the page of a maker shows, found as `sellers.find` finds them. @throws Problem 404 unknown or suspended */
export async function find(db: Database, username: string): Promise<ShopPage> {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('shops as m', 'm.user_id', 'u.id')
    .select(['m.contact_email', 'm.contact_phone', 'm.returns', 'm.custom_orders', 'm.care'])
    .select(sql<boolean>`coalesce(m.takes_messages, true)`.as('takes_messages'))
    .select(eb => [
      jsonObjectFrom(
        eb
          .selectFrom('images as i')
          .select(['i.id', ...imageColumns])
          .whereRef('i.id', '=', 'm.banner_id'),
      ).as('banner'),
      eb
        .selectFrom('catalogue as c')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('c.seller_id', '=', 'u.id')
        .as('pieces'),
      eb
        .selectFrom('postage_profiles as f')
        .select('f.from_country')
        .whereRef('f.seller_id', '=', 'u.id')
        .where('f.is_default', '=', true)
        .as('ships_from'),
    ])
    .where('u.id', '=', userNamed(username))
    .where('u.suspended_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw missing()
  const { banner, pieces, ships_from, takes_messages, ...words } = row
  return {
    contact_email: words.contact_email ?? '',
    contact_phone: words.contact_phone ?? '',
    returns: words.returns ?? '',
    custom_orders: words.custom_orders ?? '',
    care: words.care ?? '',
    banner: banner && imageDto(banner),
    takes_messages,
    pieces: pieces ?? 0,
    ships_from,
  }
}

/**
 * Replaces contact and policies. The alt text of the wide photo, and whether the maker takes messages, change only if
 * given.
 */
export async function update(
  db: Database,
  userId: Id,
  { banner_alt, ...policies }: ShopPageInput,
): Promise<void> {
  await transaction(db, async db => {
    await requireActive(db, userId)
    await db
      .insertInto('shops')
      .values({ user_id: userId, ...policies })
      .onConflict(conflict => conflict.column('user_id').doUpdateSet(policies))
      .execute()
    if (banner_alt !== undefined) await describeBanner(db, userId, banner_alt)
  })
}
