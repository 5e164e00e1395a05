import type { Id } from '#contract'
import * as draftPictures from '#draft-pictures/draft-pictures.ts'
import * as images from '#images/images.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { type FieldErrors, Problem } from '#problem'
import { addedAs } from '#products/added-as.ts'
import { type Listing, NewListing } from '#products/contract.ts'
import * as products from '#products/products.ts'
import type { DraftFields } from './contract.ts'
import { listingKey, missing, own } from './drafts.ts'
import { listingOfDraft, view } from './views.ts'

/**
 * Publishes a draft: it becomes a listing with its photos. Published again, it is the same listing.
 * @throws Problem 404 unknown or someone else's, 400 with what is missing by field
 */
export function publish(db: Database, seller: Id, id: Id): Promise<Listing> {
  return transaction(db, async db => {
    const draft = await own(db, seller, id).forUpdate().executeTakeFirst()
    if (!draft) return products.find(db, await publishedFrom(db, seller, id))
    const { fields, missing: lacking } = await view(db, draft)
    const errors = Object.values(lacking)
    if (errors[0] !== undefined) throw new Problem(400, errors[0], { errors, fields: lacking })
    const added = await products.insert(
      db,
      seller,
      await withoutDeleted(db, seller, NewListing.parse(listingOfDraft(fields))),
      listingKey(id),
      await sourceOf(db, id),
    )
    if (added === undefined) throw new Error(`draft ${id} was published before`)
    await images.publish(db, id, added)
    await draftPictures.toListing(db, id, added)
    await db.deleteFrom('drafts').where('id', '=', id).execute()
    // Here, since its seller may be suspended as soon as this transaction has ended.
    return products.find(db, added)
  })
}

/** As the deletion of a section or a postage profile leaves a listing: in no section, with the default profile. */
async function withoutDeleted(db: Database, seller: Id, listing: NewListing): Promise<NewListing> {
  const isOwn = async (table: 'sections' | 'postage_profiles', id: Id | null | undefined) =>
    id &&
    (await db
      .selectFrom(table)
      .select('id')
      .where('id', '=', id)
      .where('seller_id', '=', seller)
      .executeTakeFirst())
  const { section_id, postage_profile_id } = listing
  return {
    ...listing,
    ...((await isOwn('sections', section_id)) ? {} : { section_id: null }),
    ...((await isOwn('postage_profiles', postage_profile_id)) ? {} : { postage_profile_id: null }),
  }
}

async function sourceOf(db: Database, id: Id): Promise<string | null> {
  const { source_key } = await db
    .selectFrom('drafts')
    .select('source_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return source_key
}

/** The listing that a draft has become. @throws Problem 404 if there was no such draft of this maker */
export async function publishedFrom(db: Database, seller: Id, id: Id): Promise<Id> {
  const listing = await addedAs(db, seller, listingKey(id))
  if (listing === undefined) throw missing()
  return listing
}

/**
 * Publishes several drafts. Each has a transaction of its own, so that one with errors does not stop the others.
 * @param before runs before each; a Problem that it throws refuses that draft
 */
export async function publishAll(db: Database, seller: Id, ids: Id[], before: () => Promise<void>) {
  const published: { id: Id; listing: Id; name: string }[] = []
  const refused: { id: Id; name: string; errors: string[]; fields: FieldErrors }[] = []
  for (const id of new Set(ids)) {
    try {
      await before()
      const listing = await publish(db, seller, id)
      published.push({ id, listing: listing.id, name: listing.name })
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      const draft = await own(db, seller, id).executeTakeFirst()
      const { name = '' } = (draft?.fields ?? {}) as DraftFields
      refused.push({ id, name, errors: error.errors, fields: error.fields ?? {} })
    }
  }
  return { published, refused }
}
