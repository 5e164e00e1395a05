import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import type { PlacedPhoto } from './contract.ts'
import { photoOrder } from './dto.ts'
import { isOf, type Place } from './images.ts'

/** A stored photo in its order. */
interface Placed {
  id: Id
  alt: string
}

/** The photos of a listing or a draft in order, with their alt texts. */
export const placedPhotos = (db: Database, place: Place): Promise<Placed[]> =>
  db.selectFrom('images as i').select(['i.id', 'i.alt']).where(isOf(place)).orderBy(photoOrder).execute()

/** Sets the alt text of a photo. The caller has locked the listing, draft or profile that it belongs to. */
export async function describe(db: Database, id: Id, alt: string): Promise<void> {
  await db.updateTable('images').set({ alt }).where('id', '=', id).execute()
}

/** Whether a new order of photos changes nothing. */
export const isArranged = (stored: Placed[], photos: PlacedPhoto[]): boolean => {
  const alts = new Map(stored.map(({ id, alt }) => [id, alt]))
  return isDeepStrictEqual(
    stored.map(({ id, alt }) => [id, alt]),
    photos.map(({ id, alt }) => [id, alt ?? alts.get(id)]),
  )
}

/**
 * Gives photos their places and alt texts, and deletes those that are not named. The caller has locked their listing or draft.
 * @returns folders of the deleted photos, whose files the caller deletes after the commit
 * @throws Problem 400 for a photo that is not one of the stored ones
 */
export async function arrange(db: Database, stored: Placed[], photos: PlacedPhoto[]): Promise<string[]> {
  const alts = new Map(stored.map(({ id, alt }) => [id, alt]))
  for (const { id } of photos)
    if (!alts.has(id)) throw new Problem(400, `Photo ${id} is not there any more; please open the page again`)
  const ids = photos.map(({ id }) => id)
  const texts = photos.map(({ id, alt }) => alt ?? alts.get(id) ?? '')
  await sql`
    update images as i set position = placed.position, alt = placed.alt
    from unnest(${ids}::bigint[], ${texts}::text[]) with ordinality as placed (id, alt, position)
    where i.id = placed.id
  `.execute(db)
  const gone = stored.map(({ id }) => id).filter(id => !ids.includes(id))
  if (gone.length === 0) return []
  const rows = await db.deleteFrom('images').where('id', 'in', gone).returning('folder').execute()
  return rows.map(({ folder }) => folder)
}
