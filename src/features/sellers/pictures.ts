import { requireActive } from '#accounts/suspension.ts'
import type { Id } from '#contract'
import { describe } from '#images/arrange.ts'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'

/** Pictures of a seller: the portrait, and the wide photo above their page. */
const COLUMNS = { picture: 'image_id', banner: 'banner_id' } as const
type Picture = keyof typeof COLUMNS

/** The slot of a picture: see images/picture-slot.ts. */
export const slotOf = (userId: Id, picture: Picture) => ({
  /** @throws Problem 403 while they are suspended */
  lock: async (db: Database) => {
    await requireActive(db, userId)
    return lock(db, userId, picture)
  },
  set: (db: Database, id: Id | null) =>
    db
      .updateTable('shops')
      .set({ [COLUMNS[picture]]: id })
      .where('user_id', '=', userId)
      .execute(),
})

/**
 * Stores the alt text of the wide photo. In the caller's transaction.
 * @throws Problem 400 of the field `banner_alt` for a text without a photo
 */
export async function describeBanner(db: Database, userId: Id, alt: string): Promise<void> {
  const banner = await lock(db, userId, 'banner')
  if (banner !== null) await describe(db, banner, alt)
  else if (alt) throw new Problem(400, NO_BANNER, { fields: { banner_alt: NO_BANNER } })
}
const NO_BANNER = 'There is no wide photo to describe. Choose one, or leave this empty'

/** Locks the seller's row until the transaction ends. @returns the picture's id */
async function lock(db: Database, userId: Id, picture: Picture): Promise<Id | null> {
  await db
    .insertInto('shops')
    .values({ user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const shop = await db
    .selectFrom('shops')
    .select(`${COLUMNS[picture]} as picture`)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return shop.picture
}
