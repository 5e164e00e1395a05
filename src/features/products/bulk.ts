import type { Id } from '#contract'
import { toCents } from '#money'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { outcomeOf } from './bulk-change.ts'
import type { Bulk, BulkChange, BulkResult, Seen, Values } from './bulk-contract.ts'
import {
  anyOf,
  type BulkListing,
  listingsFor,
  NOT_THERE,
  notThere,
  sectionName,
  valuesOf,
} from './bulk-listings.ts'
import { changePrices, changeStocks } from './change-combinations.ts'
import { CHANGED_MEANWHILE } from './contract.ts'
import { lockSection } from './details.ts'
import { isListedOrPaused } from './paused.ts'
import { restore, retire } from './retire.ts'
import { earlierChanges, restock } from './stock.ts'

/**
 * Applies a bulk edit to listings as the seller saw them, each in a transaction of its own: a refusal does not stop
 * the others, and a checkout waits for one listing at most. A repeated idempotency key changes nothing twice.
 * @throws Problem 400 for a section that is not the seller's
 */
export async function bulk(
  db: Database,
  seller: Id,
  { rows, ...change }: Bulk,
  key: string | undefined,
): Promise<BulkResult> {
  await sectionName(db, seller, change)
  const seen = new Map(rows.map(row => [row.id, row]))
  const names = await namesOf(db, seller, [...seen.keys()])
  const results: BulkResult['results'] = []
  for (const row of seen.values()) {
    const name = names.get(row.id) ?? null
    try {
      await changeOne(db, seller, row, change, key)
      results.push({ id: row.id, name, done: true, message: 'Changed' })
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      // A listing of another seller gets the message of a deleted one.
      results.push({ id: row.id, name, done: false, message: name === null ? NOT_THERE : error.message })
    }
  }
  return { results }
}

async function changeOne(db: Database, seller: Id, seen: Seen, change: BulkChange, key: string | undefined) {
  if (change.change === 'retire') await retire(db, seller, seen.id, seen.version)
  else if (change.change === 'restore') await restore(db, seller, seen.id, seen.version)
  else await edit(db, seller, seen, change, key)
}

/** Changes one listing. @throws Problem 404 unknown or deleted, 409 changed meanwhile or sold */
async function edit(
  db: Database,
  seller: Id,
  seen: Seen,
  change: BulkChange,
  key: string | undefined,
): Promise<void> {
  await transaction(db, async db => {
    await lockSection(db, seller, change.change === 'section' ? change : {})
    const listing = await lockListing(db, seller, seen.id, change)
    const now = valuesOf(listing)
    const shown = {
      ...now,
      price: seen.price,
      price_to: seen.price_to ?? (now.combinations > 0 ? now.price_to : seen.price),
      stock: seen.stock,
    }
    const { after, problem } = outcomeOf(change, shown, null)
    if (problem !== undefined) throw new Problem(409, problem)
    const columns = columnsOf(change, after)
    const isAsSeen =
      listing.version === seen.version && now.price === shown.price && now.price_to === shown.price_to
    if (!isAsSeen) {
      // Equal contents: a retry or a double click.
      if (columns && isSame(listing, columns) && now.price_to === after.price_to) return
      // A retry: this key has changed the stock already, and saving the price after it may have made a new version.
      const isRepeated = !columns && (await earlierChanges(db, seen.id, key)).size > 0
      if (!isRepeated) throw new Problem(409, CHANGED_MEANWHILE)
    }
    const isVaried = now.combinations > 0
    if (columns) {
      const arePriced = isVaried && change.change.startsWith('price')
      if (arePriced) await changePrices(db, seen.id, change)
      // Makes a new version, even if the lowest price stays.
      const changed = arePriced ? { changed_at: new Date() } : {}
      await db
        .updateTable('products')
        .set({ ...columns, ...changed })
        .where('id', '=', seen.id)
        .execute()
    } else if (isVaried) await changeStocks(db, seen, change, key)
    else await restock(db, seen.id, { target: after.stock, shown: seen.stock, idempotencyKey: key })
  })
}

/** Locks a listing, then reads it: its combinations change only under this lock. @throws Problem 404 unknown or deleted */
async function lockListing(db: Database, seller: Id, id: Id, change: BulkChange): Promise<BulkListing> {
  await db
    .selectFrom('products')
    .select('id')
    .where('id', '=', id)
    .where('seller_id', '=', seller)
    .forNoKeyUpdate()
    .execute()
  const listing = await listingsFor(db, seller, change).where('p.id', '=', id).executeTakeFirst()
  if (!listing) throw new Problem(404, notThere(change))
  return listing
}

/** The columns of `products` that a change writes. Undefined if only the stock changes. */
function columnsOf({ change, section_id }: BulkChange, { price, tags }: Values) {
  if (change.startsWith('stock')) return undefined
  if (change === 'section') return { section_id: section_id ?? null }
  return change.startsWith('tags') ? { tags } : { price_cents: toCents(price) }
}

const isSame = (listing: BulkListing, columns: object) =>
  JSON.stringify({ ...listing, ...columns }) === JSON.stringify(listing)

/** Names of own listings, for sale or paused, by id. */
async function namesOf(db: Database, seller: Id, ids: Id[]): Promise<Map<Id, string>> {
  const rows = await db
    .selectFrom('products')
    .select(['id', 'name'])
    .where('seller_id', '=', seller)
    .where('id', '=', anyOf(ids))
    .where(isListedOrPaused())
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
