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
  /** Without a key, the row is a twin: the same listing as another row. */
  rows: (Omit<ImportRow, 'outcome'> & { key: string | undefined })[]
}

/**
 * The outcome of each row if Etsy's listings file were imported. Writes nothing.
 * @throws Problem 400 with the rows and columns that are wrong, 413 for a file that is too large, 409 for too many
 * drafts
 */
export async function previewImport(db: Database, seller: Id, source: Source): Promise<ImportRow[]> {
  const { given, rows } = await readFile(db, seller, source)
  return withOutcomes(rows, await outcomesOf(db, seller, given))
}

/**
 * Imports Etsy's listings file as drafts of a maker, and queues their photos for download. One transaction: all or
 * nothing. A second import of the same file changes nothing. Deletes no draft.
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

/** Most combinations of a file that get a row of the listing form: all are in memory. */
const MAX_ROWS = 20_000
/** Parsing yields to other requests after so long, ms. */
const TURN_MS = 10

/** A listing of a file, with its possible keys, the best first. */
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
 * For each best key that several listings share, the row that gets it: the one whose name an earlier import stored
 * with this key, otherwise the first. Etsy copies the SKU when it copies a listing.
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

/** Longest key, characters: keys are in an index. */
const MAX_KEY = 600

/**
 * Keys that identify a listing in this file and in later ones, the best first: its SKU if it has exactly one, then
 * its title with the number of its first picture. A row is a twin if other rows have all its keys.
 */
function keysOf({ skus, title, images: [picture = ''] }: EtsyListing): string[] {
  // 'il_fullxfull.4567_x1y2.jpg' has 4567.
  const number = /\.(\d+)_[^/]*$/.exec(picture)?.[1] ?? picture
  const named = `title ${title.replace(/\s+/g, ' ').toLowerCase()} ${number}`
  const keys = skus.length === 1 ? [`sku ${skus[0]}`, named] : [named]
  return keys.map(key => key.slice(0, MAX_KEY).toWellFormed())
}
