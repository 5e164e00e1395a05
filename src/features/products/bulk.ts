import { type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Id } from '#contract'
import { imageColumns, imageDto, photoOrder } from '#images/dto.ts'
import { fromCents, toCents } from '#money'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { type Outcome, outcomeOf } from './bulk-change.ts'
import {
  type Bulk,
  type BulkAnswer,
  type BulkChange,
  type BulkPreview,
  MAX_BULK,
  type Previewed,
  type Seen,
  type Values,
} from './bulk-contract.ts'
import { CHANGED_MEANWHILE } from './contract.ts'
import { lockSection } from './details.ts'
import { retire } from './retire.ts'
import { idsMatching } from './shelf.ts'
import { restock } from './stock.ts'

/** What a bulk edit reads of own listings for sale. */
const pieces = (db: Database, seller: Id) =>
  db
    .selectFrom('products as p')
    .innerJoin('stock as s', 's.product_id', 'p.id')
    .leftJoin('sections as c', 'c.id', 'p.section_id')
    .select(['p.id', 'p.name', 'p.version', 'p.price_cents', 'p.tags', 'p.section_id'])
    .select(['s.quantity as stock', 'c.name as section', 'p.variations'])
    .where('p.seller_id', '=', seller)
    .where('p.deleted_at', 'is', null)
type Piece = Awaited<ReturnType<ReturnType<typeof pieces>['executeTakeFirstOrThrow']>>

const valuesOf = ({ price_cents, stock, section, tags }: Piece): Values => ({
  price: fromCents(price_cents),
  stock,
  section,
  tags,
  retired: false,
})

/** What a change makes of a listing, or why it is refused. Combinations have prices and stock of their own. */
function outcomeFor(piece: Piece, change: BulkChange, before: Values, section: string | null): Outcome {
  const isVaried = (piece.variations as unknown[]).length > 0
  if (isVaried && /^(price|stock)/.test(change.change)) return { problem: HAS_VARIATIONS }
  return outcomeOf(change, before, section)
}
const HAS_VARIATIONS = 'It has variations: change each combination in its form'

/**
 * What a change would make of each listing. Writes nothing.
 * @throws Problem 400 for a section that is not the seller's, or if more match than are changed at once
 */
export async function preview(db: Database, seller: Id, asked: BulkPreview): Promise<Previewed> {
  const section = await sectionName(db, seller, asked)
  const ids = asked.ids ? [...new Set(asked.ids)] : await allMatching(db, seller, asked.matching ?? {})
  const rows = await pieces(db, seller)
    .select(eb =>
      jsonArrayFrom(
        eb
          .selectFrom('images as i')
          .select(['i.id', ...imageColumns])
          .whereRef('i.product_id', '=', 'p.id')
          .orderBy(photoOrder)
          .limit(1),
      ).as('images'),
    )
    .where('p.id', '=', anyOf(ids))
    .execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  return {
    rows: ids.map(id => {
      const row = byId.get(id)
      if (!row)
        return { id, name: null, image: null, version: null, before: null, after: null, problem: NOT_THERE }
      const before = valuesOf(row)
      const { after, problem } = outcomeFor(row, asked, before, section)
      const isSame = after !== undefined && JSON.stringify(after) === JSON.stringify(before)
      return {
        id,
        name: row.name,
        image: row.images[0] ? imageDto(row.images[0]) : null,
        version: row.version,
        before,
        after: isSame ? null : (after ?? null),
        problem: isSame ? 'It is like that already' : (problem ?? null),
      }
    }),
  }
}
const NOT_THERE = 'It is no longer for sale'

/**
 * Changes listings as they were shown, each in a transaction of its own: one that is refused stops no other, and no
 * checkout waits for more than one of them. The same key again changes nothing twice.
 * @throws Problem 400 for a section that is not the seller's
 */
export async function bulk(
  db: Database,
  seller: Id,
  { rows, ...change }: Bulk,
  key: string | undefined,
): Promise<BulkAnswer> {
  await sectionName(db, seller, change)
  const seen = new Map(rows.map(row => [row.id, row]))
  const names = await namesOf(db, seller, [...seen.keys()])
  const results: BulkAnswer['results'] = []
  for (const row of seen.values()) {
    const name = names.get(row.id) ?? null
    try {
      await (change.change === 'retire'
        ? retire(db, seller, row.id, row.version)
        : edit(db, seller, row, change, key))
      results.push({ id: row.id, name, done: true, message: 'Changed' })
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      // A foreign listing is as unknown as one that is gone.
      results.push({ id: row.id, name, done: false, message: name === null ? NOT_THERE : error.message })
    }
  }
  return { results }
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
    const piece = await pieces(db, seller).where('p.id', '=', seen.id).forNoKeyUpdate('p').executeTakeFirst()
    if (!piece) throw new Problem(404, NOT_THERE)
    const isAsSeen = piece.version === seen.version && piece.price_cents === toCents(seen.price)
    const { after, problem } = outcomeFor(
      piece,
      change,
      { ...valuesOf(piece), price: seen.price, stock: seen.stock },
      null,
    )
    if (problem !== undefined) throw new Problem(409, problem)
    const columns = columnsOf(change, after)
    // Equal contents: a retry or a double click.
    if (!isAsSeen && !(columns && isSame(piece, columns))) throw new Problem(409, CHANGED_MEANWHILE)
    if (columns) await db.updateTable('products').set(columns).where('id', '=', seen.id).execute()
    else await restock(db, seen.id, { target: after.stock, shown: seen.stock, idempotencyKey: key })
  })
}

/** What a change writes into the row of a listing; undefined: only its stock changes. */
function columnsOf({ change, section_id }: BulkChange, { price, tags }: Values) {
  if (change.startsWith('stock')) return undefined
  if (change === 'section') return { section_id: section_id ?? null }
  return change.startsWith('tags') ? { tags } : { price_cents: toCents(price) }
}

const isSame = (piece: Piece, columns: object) =>
  JSON.stringify({ ...piece, ...columns }) === JSON.stringify(piece)

async function allMatching(db: Database, seller: Id, filter: object): Promise<Id[]> {
  const ids = await idsMatching(db, seller, filter, MAX_BULK + 1)
  if (ids.length > MAX_BULK)
    throw new Problem(
      400,
      `More than ${MAX_BULK} pieces match, which is the most at once. Search by name for fewer`,
    )
  return ids
}

/** The name of the section that a change chooses. @throws Problem 400 for one that is not the seller's */
async function sectionName(db: Database, seller: Id, change: BulkChange): Promise<string | null> {
  if (change.change !== 'section' || !change.section_id) return null
  await lockSection(db, seller, change)
  const { name } = await db
    .selectFrom('sections')
    .select('name')
    .where('id', '=', change.section_id)
    .executeTakeFirstOrThrow()
  return name
}

/** Names of own listings, for sale or retired, by id. */
async function namesOf(db: Database, seller: Id, ids: Id[]): Promise<Map<Id, string>> {
  const rows = await db
    .selectFrom('products')
    .select(['id', 'name'])
    .where('seller_id', '=', seller)
    .where('id', '=', anyOf(ids))
    .where(eb => eb.or([eb('deleted_at', 'is', null), eb('retired_at', 'is not', null)]))
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const anyOf = (ids: Id[]): RawBuilder<Id> => sql<Id>`any(${ids}::bigint[])`
