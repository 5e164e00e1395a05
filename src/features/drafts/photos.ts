import type { Id } from '#contract'
import { arrange, isArranged, placedPhotos } from '#images/arrange.ts'
import { type PlacedPhoto, placesAfter } from '#images/contract.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { withPhotosAt } from '#products/form-variations.ts'
import type { DraftFields } from './contract.ts'
import { missing, own } from './drafts.ts'

/**
 * Gives the photos of a draft their order and alt texts. Those that are known and not named are deleted.
 * @param known ids of the photos that the maker has seen: those that have arrived since stay, at the end. Undefined: all
 * @returns folders of the deleted photos, whose files the caller deletes
 * @throws Problem 404 unknown or someone else's, 400 for a photo of something else
 */
export const arrangePhotos = (
  db: Database,
  seller: Id,
  id: Id,
  { photos: named, known }: { photos: PlacedPhoto[]; known?: Id[] | undefined },
): Promise<string[]> =>
  transaction(db, async db => {
    const draft = await own(db, seller, id).forNoKeyUpdate().executeTakeFirst()
    if (!draft) throw missing()
    const stored = await placedPhotos(db, { draft_id: id })
    const isNew = (photo: Id) => known && !known.includes(photo) && !named.some(({ id }) => id === photo)
    const photos = [...named, ...stored.filter(({ id }) => isNew(id))]
    if (isArranged(stored, photos)) return []
    const gone = await arrange(db, stored, photos)
    const fields = withPhotosAt(draft.fields as DraftFields, placesAfter(stored, photos))
    await db
      .updateTable('drafts')
      .set({ fields: JSON.stringify(fields) })
      .where('id', '=', id)
      .execute()
    return gone
  })
