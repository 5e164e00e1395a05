import * as z from 'zod/mini'
import { defineCalls, Id, PathId } from '#contract'
import { OUTCOMES } from '#drafts/contract.ts'

/** The page that takes Etsy's file. */
export const IMPORT_PAGE = '/import'
/** Rows of a response. */
export const ROWS_AT_ONCE = 100

/** A row of a file, and what becomes of it. */
export const ImportRow = z.object({
  /** As spreadsheets count: the header is row 1. */
  row: z.number(),
  name: z.string(),
  /** twin: the same as an earlier row, and left out. */
  outcome: z.enum([...OUTCOMES, 'twin']),
  /** Number of its photos. */
  photos: z.number(),
  /** What is cut, and what to check. */
  notes: z.array(z.string()),
})
export type ImportRow = z.infer<typeof ImportRow>

const Import = z.object({
  id: Id,
  /** Outcome → number of rows. */
  counts: z.partialRecord(ImportRow.shape.outcome, z.number()),
  rows: z.array(ImportRow),
  /** The last one of these rows, if there are more. */
  next: z.nullable(z.number()),
})
export type Import = z.infer<typeof Import>

const ROW = 'After must be the number of a row'
const one = z.object({ importId: PathId })
const after = z.object({
  after: z.optional(
    z.pipe(
      z.string(ROW).check(z.regex(/^\d{1,5}$/, ROW), z.describe('The last row that was seen')),
      z.transform(Number),
    ),
  ),
})

export const calls = defineCalls({
  'POST /api/import/': {
    summary:
      'Show what would become of EtsyListingsDownload.csv (multipart, field "file"). Nothing is added. The file waits a day for a Yes',
    consumes: 'multipart',
    field: 'file',
    cost: 5,
    response: Import,
    status: 201,
  },
  'GET /api/import/:importId': {
    summary: 'What would become of the rows of the file now',
    params: one,
    query: after,
    cost: 5,
    response: Import,
  },
  'POST /api/import/:importId': {
    summary: 'Yes: add the listings of the file as drafts. Again, it changes nothing',
    params: one,
    cost: 5,
    response: Import,
  },
})
