import type { Id } from '#contract'
import { describe } from '#images/arrange.ts'
import type { Database } from '#platform/database/database.ts'

/** Pictures of a seller: the portrait, and the wide photo above their page. */
const COLUMNS = { picture: 'image_id', banner: 'banner_id' } as const
type Picture = keyof typeof COLUMNS

/** The slot of a picture: see images/picture-slot.ts. */
export const slotOf = (userId: Id, picture: Picture) => ({
  lock: (db: Database) => lock(db, userId, picture),
  set: (db: Database, id: Id | null) =>
    db
      .updateTable('shops')
      .set({ [COLUMNS[picture]]: id })
      .where('user_id', '=', userId)
      .execute(),
})

/** Says what the wide photo shows; nothing without one. In the caller's transaction. */
export async function describeBanner(db: Database, userId: Id, alt: string): Promise<void> {
  const banner = await lock(db, userId, 'banner')
  if (banner !== null) await describe(db, banner, alt)
}

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
