import { setImmediate } from 'node:timers/promises'
import type { Id } from '#contract'
import { PICTURES, queue } from '#draft-pictures/draft-pictures.ts'
import type { Outcome } from '#drafts/contract.ts'
import { namesOf, outcomesOf, saveImported } from '#drafts/imported.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { requestJobRun } from '#platform/jobs/job-events.ts'
import { rowsOf } from '#products/row-controls.ts'
import type { ImportRow } from './contract.ts'
import type { EtsyListing } from './etsy-listing.ts'
import { type ImportedDraft, importedDraft } from './imported-draft.ts'
import { readListings } from './read-listings.ts'
import type { Source } from './source.ts'

/** A file as it was read. */
interface ReadFile {
  /** Drafts by their keys. */
  given: { key: string; imported: Omit<ImportedDraft, 'notes'> }[]
  /** A row without a key is the same as an earlier one. */
  rows: (Omit<ImportRow, 'outcome'> & { key: string | undefined })[]
}

/**
 * What would become of the rows of Etsy's listings file. Nothing is written.
 * @throws Problem 400 with the rows and columns that are wrong, 413 for a file that is too large, 409 for too many drafts
 */
export async function previewImport(db: Database, seller: Id, source: Source): Promise<ImportRow[]> {
  const { given, rows } = await readFile(db, seller, source)
  return withOutcomes(rows, await outcomesOf(db, seller, given))
}

/**
 * Reads Etsy's listings file and adds its listings as drafts of a maker, whose photos are then fetched. The same file again
 * changes nothing; nothing is deleted. All or nothing.
 * @throws Problem as `previewImport` does
 */
export async function importDrafts(db: Database, seller: Id, source: Source): Promise<ImportRow[]> {
  const { given, rows } = await readFile(db, seller, source)
  const saved = await transaction(db, async db => {
    const saved = await saveImported(db, seller, given)
    const photos = given.flatMap(({ key, imported }) => {
      const draft = saved.get(key)?.draft
      return draft ? { draft, urls: imported.pictures } : []
    })
    await queue(db, seller, photos)
    return saved
  })
  requestJobRun(PICTURES)
  return withOutcomes(rows, new Map([...saved].map(([key, { outcome }]) => [key, outcome])))
}

/** Combinations of a file that get a row: all are in memory. */
const MAX_ROWS = 20_000
/** So long rows are worked with before other requests have a turn, ms. */
const TURN_MS = 10

/** A listing of a file, and the keys that could name it, the best first. */
interface ReadListing {
  row: number
  keys: string[]
  imported: Omit<ImportedDraft, 'notes'>
  notes: string[]
}

async function readFile(db: Database, seller: Id, source: Source): Promise<ReadFile> {
  let turn = performance.now()
  const listings: ReadListing[] = []
  let combinations = 0
  for await (const { row, listing } of readListings(source)) {
    const { notes, ...imported } = importedDraft(listing, MAX_ROWS - combinations)
    combinations += rowsOf(name => (imported.fields as Record<string, string>)[name]).length
    listings.push({ row, keys: keysOf(listing), imported, notes: notes.map(({ message }) => message) })
    if (performance.now() - turn < TURN_MS) continue
    await setImmediate()
    turn = performance.now()
  }
  const owners = await ownersOf(db, seller, listings)
  const drafts = new Map<string, ReadListing['imported']>()
  const rows = listings.map(({ row, keys, imported, notes }) => {
    const key = keys.find(key => !drafts.has(key) && (owners.get(key) ?? row) === row)
    if (key !== undefined) drafts.set(key, imported)
    return { row, key, name: imported.fields.name, photos: imported.pictures.length, notes }
  })
  return { given: [...drafts].map(([key, imported]) => ({ key, imported })), rows }
}

/**
 * For each best key of several listings, the row that it names: that of the listing which an earlier file brought under this
 * key, found by its name, otherwise the first. Etsy copies a listing with its SKU.
 */
async function ownersOf(db: Database, seller: Id, listings: ReadListing[]): Promise<Map<string, number>> {
  const byKey = Map.groupBy(listings, ({ keys: [best = ''] }) => best)
  const shared = [...byKey].filter(([, { length }]) => length > 1)
  const names = await namesOf(
    db,
    seller,
    shared.map(([key]) => key),
  )
  return new Map(
    shared.map(([key, some]) => {
      const known = some.find(({ imported }) => imported.fields.name === names.get(key)) ?? some[0]
      return [key, known?.row ?? 0]
    }),
  )
}

const withOutcomes = (rows: ReadFile['rows'], outcomes: Map<string, Outcome>): ImportRow[] =>
  rows.map(({ key, ...row }) => ({ ...row, outcome: outcomes.get(key ?? '') ?? 'twin' }))

/** Length of a key: an index holds it. */
const MAX_KEY = 600

/**
 * Names of a listing in this file and in later ones, the best first: by its SKU if it has exactly one, then by its title and the
 * number of its first picture. A row whose names are those of earlier rows is a twin.
 */
function keysOf({ skus, title, images: [picture = ''] }: EtsyListing): string[] {
  // 'il_fullxfull.4567_x1y2.jpg' has 4567.
  const number = /\.(\d+)_[^/]*$/.exec(picture)?.[1] ?? picture
  const named = `title ${title.replace(/\s+/g, ' ').toLowerCase()} ${number}`
  const keys = skus.length === 1 ? [`sku ${skus[0]}`, named] : [named]
  return keys.map(key => key.slice(0, MAX_KEY).toWellFormed())
}
