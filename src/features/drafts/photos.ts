import type { Id } from '#contract'
import { arrange, isArranged, placedPhotos } from '#images/arrange.ts'
import type { PlacedPhoto } from '#images/contract.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { missing, own } from './drafts.ts'

/**
 * Gives the photos of a draft their order and alt texts. Those that are not named are deleted.
 * @returns folders of the deleted photos, whose files the caller deletes
 * @throws Problem 404 unknown or someone else's, 400 for a photo of something else
 */
export const arrangePhotos = (db: Database, seller: Id, id: Id, photos: PlacedPhoto[]): Promise<string[]> =>
  transaction(db, async db => {
    if (!(await own(db, seller, id).forNoKeyUpdate().executeTakeFirst())) throw missing()
    const stored = await placedPhotos(db, { draft_id: id })
    return isArranged(stored, photos) ? [] : arrange(db, stored, photos)
  })
