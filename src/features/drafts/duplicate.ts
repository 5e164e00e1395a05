import { lockUser } from '#accounts/lock-user.ts'
import type { Id } from '#contract'
import { addCopies, copyFiles } from '#images/copies.ts'
import { discard, type Uploader } from '#images/images.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import type { Files } from '#platform/storage/files.ts'
import { Problem } from '#problem'
import { detailsOfListing } from '#products/details.ts'
import { listingTexts } from '#products/form-listing.ts'
import { handlingOf } from '#products/handling.ts'
import * as products from '#products/products.ts'
import { requireSeller } from '#products/seller-of.ts'
import type { Draft } from './contract.ts'
import { insert, storableFields } from './drafts.ts'
import { view } from './views.ts'

/**
 * A new draft with what a listing says, and copies of its photos; all or nothing.
 * @throws Problem 404 unknown, 403 someone else's, 409 for too many drafts or a full quota, 413 for texts that no draft can hold
 */
export async function duplicate(db: Database, files: Files, uploader: Uploader, listing: Id): Promise<Draft> {
  await requireSeller(db, uploader.id, listing)
  const [{ name, category, description, price, stock }, details, handling] = await Promise.all([
    products.find(db, listing),
    detailsOfListing(db, listing),
    handlingOf(db, listing),
  ])
  const texts = storableFields(
    listingTexts({ name, category, description, price, stock: stock || 1 }, details, handling),
  )
  const copies = await copyFiles(db, files, { product_id: listing })
  try {
    return await transaction(db, async db => {
      await lockUser(db, uploader.id)
      const row = await insert(db, uploader.id, texts)
      await addCopies(db, uploader, { draft_id: row.id }, copies)
      return view(db, row)
    })
  } catch (error) {
    // Refused. After any other error the rows may have been written.
    if (error instanceof Problem) for (const { folder } of copies) await discard(files, folder)
    throw error
  }
}
