import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { imageFiles } from './dto.ts'

/** A photo or document of a user, with the files that show it best. */
export interface OwnedImage {
  id: Id
  /** null: the photo of a draft, or the picture of their shop page. */
  product_id: Id | null
  draft_id: Id | null
  created_at: Date
  kind: string
  folder: string
  /** The place among the photos of its listing, as stored. */
  position: number
  alt: string
  /** Names in the folder: the widest rendition, and the document. */
  files: string[]
}

/** Every photo and document of a user that is not deleted, oldest first. */
export async function ownedBy(db: Database, owner: Id): Promise<OwnedImage[]> {
  const rows = await db
    .selectFrom('images')
    .select(['id', 'product_id', 'draft_id', 'created_at', 'kind', 'folder', 'widths', 'position', 'alt'])
    .where('owner_id', '=', owner)
    .orderBy('id')
    .execute()
  return rows.map(({ widths, ...row }) => ({
    ...row,
    files: imageFiles({ kind: row.kind, widths: widths.slice(-1) }),
  }))
}
