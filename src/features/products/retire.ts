import { sql } from 'kysely'
import { requireActive, SUSPENDED } from '#accounts/suspension.ts'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { CHANGED_MEANWHILE, type Listing } from './contract.ts'
import type { Details } from './details-contract.ts'
import { isListedOrPaused, lockCatalogued, NOT_PAUSED, pause, unlessFor } from './paused.ts'
import { find } from './products.ts'
import { isSafetyRequired, MISSING_RETIRED, notSaidForAll, requireSafety } from './safety.ts'
import { forbidden, HIDDEN, missing } from './seller-of.ts'

// How a seller takes a listing out of the shop, for good or not.

/**
 * Retires a listing. Its photos, reviews, stock and orders stay. A retired one stays as it is.
 * @param expected the version that the seller saw. Undefined overwrites any
 * @throws Problem 404 unknown or deleted, 403 someone else's, 409 for another version
 */
export async function retire(db: Database, seller: Id, id: Id, expected?: number): Promise<void> {
  await transaction(db, async db => {
    const { retired_at, version } = await own(db, seller, id)
    if (retired_at) return
    if (expected !== undefined && version !== expected) throw new Problem(409, CHANGED_MEANWHILE)
    await pause(db, 'retired_at', id)
  })
}

/**
 * Brings a retired listing back. One that is for sale stays as it is.
 * @param expected the version that the seller saw. Undefined overwrites any
 * @throws Problem 404 unknown or deleted, 403 someone else's, hidden by an operator, or of a suspended seller; 409 for another
 * version; 400 without what operators require of product safety
 */
export async function restore(db: Database, seller: Id, id: Id, expected?: number): Promise<Listing> {
  await transaction(db, async db => {
    const isRequired = await isSafetyRequired(db)
    await requireActive(db, seller)
    const { retired_at, hidden_at, version, ...said } = await own(db, seller, id)
    if (hidden_at) throw new Problem(403, HIDDEN)
    if (!retired_at) return
    if (expected !== undefined && version !== expected) throw new Problem(409, CHANGED_MEANWHILE)
    if (isRequired) await requireSafety(db, seller, said, MISSING_RETIRED)
    await lockCatalogued(db, [id])
    await db
      .updateTable('products')
      .set({ retired_at: null, deleted_at: unlessFor('hidden_at', 'suspended_at') })
      .where('id', '=', id)
      .execute()
  })
  return find(db, id)
}

/** @returns a function that returns the refusal to restore a retired listing. Undefined if it can be restored */
export async function restoreRefusals(
  db: Database,
  seller: Id,
): Promise<
  (
    piece: Pick<Details, 'safety' | 'manufacturer'> & Record<'hidden_at' | 'suspended_at', Date | null>,
  ) => string | undefined
> {
  const lacking = (await isSafetyRequired(db)) ? await notSaidForAll(db, seller) : []
  return ({ hidden_at, suspended_at, ...said }) => {
    if (suspended_at) return SUSPENDED
    if (hidden_at) return HIDDEN
    const field = lacking.find(field => !said[field])
    return field && MISSING_RETIRED[field]
  }
}

/**
 * Deletes a listing from sale, also a retired one; orders keep their lines.
 * @throws Problem 404 unknown or deleted, 403 someone else's
 */
export async function remove(db: Database, seller: Id, id: Id): Promise<void> {
  await transaction(db, async db => {
    await own(db, seller, id)
    await db
      .updateTable('products')
      // A file may add it again.
      .set({ ...NOT_PAUSED, deleted_at: sql<Date>`now()`, source_key: null })
      .where('id', '=', id)
      .execute()
  })
}

/** Requires that a listing, for sale or paused, is the user's own. @throws as `retire` does */
export async function requireOwnListing(db: Database, seller: Id, id: Id): Promise<void> {
  owned(seller, await shelved(db, id).executeTakeFirst())
}

/** Locks a listing, for sale or paused, until the transaction ends. */
const own = async (db: Database, seller: Id, id: Id) =>
  owned(seller, await shelved(db, id).forNoKeyUpdate().executeTakeFirst())

const shelved = (db: Database, id: Id) =>
  db
    .selectFrom('products')
    .select(['seller_id', 'retired_at', 'hidden_at', 'version', 'safety', 'manufacturer'])
    .select(sql<boolean>`deleted_at is not null`.as('isGone'))
    .where('id', '=', id)
    .where(isListedOrPaused())

/** To others a paused listing is deleted. */
function owned<P extends { seller_id: Id; isGone: boolean }>(seller: Id, product: P | undefined): P {
  if (!product || (product.seller_id !== seller && product.isGone)) throw missing()
  if (product.seller_id !== seller) throw forbidden()
  return product
}
