import type { Id } from '#contract'
import type { Image } from '#images/contract.ts'
import { NO_FILE } from '#images/contract.ts'
import * as images from '#images/images.ts'
import type { Database } from '#platform/database/database.ts'
import { listingOf, validateTexts } from '#products/form-listing.ts'
import type { Draft, DraftFields } from './contract.ts'

export const columns = ['id', 'fields', 'version', 'changed_at'] as const
/** A row of the table. */
export interface Row {
  id: Id
  fields: unknown
  version: number
  changed_at: Date
}

/** Typed texts as a listing. The contract refuses missing ones. */
export const listingOfDraft = (fields: DraftFields) => listingOf(control => fields[control])

/** Drafts as their maker sees them, with their photos and what they lack to be published. */
export async function views(db: Database, rows: Row[]): Promise<Draft[]> {
  const photos = await images.photosOf(
    db,
    'draft_id',
    rows.map(({ id }) => id),
  )
  return rows.map(row => viewOf(row, photos.get(row.id)))
}

/** One draft as `views` returns it. */
export async function view(db: Database, row: Row): Promise<Draft> {
  const photos = await images.photosOf(db, 'draft_id', [row.id])
  return viewOf(row, photos.get(row.id))
}

/** A row as the API returns it. `missing`: control → message, by the rules of the listing form. */
function viewOf({ changed_at, ...row }: Row, photos: Image[] = []): Draft {
  const fields = row.fields as DraftFields
  const missing = {
    ...validateTexts(control => fields[control]),
    ...(photos.length === 0 ? { image: NO_FILE } : {}),
  }
  return { ...row, fields, images: photos, missing, changed_at: changed_at.toISOString() }
}
