import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { Problem } from '#problem'
import { CURRENCY_COLUMN, columnsOf, type EtsyListing } from './etsy-listing.ts'
import { listingOf } from './listing-cells.ts'
import { decoded, formatOf, NOT_ETSYS, type Source } from './source.ts'

const MAX_ROWS = 5_000
/** Bytes: more than a row within the limits of its cells has. A cell of a megabyte is refused without being kept. */
const MAX_ROW = 500_000
/** Wrong cells that are named. */
const MAX_PROBLEMS = 20
const CUT_OFF = 'the file is cut off here. Download it again'

/** The first row: names as the file has them, and how many characters a cell can have. */
interface Header {
  groups: 2 | 3
  columns: { name: string; max: number }[]
}

/**
 * Reads Etsy's listings file: 24 or 27 columns by their position, in any language; UTF-8 or Windows-1252; any line end; commas
 * or semicolons. A few rows are in memory at a time.
 * @yields each listing with its row, as spreadsheets count: the header is 1. Nothing after the first wrong cell
 * @throws Problem 413 too large; 400 with up to 20 errors that name row and column. Since some are found only at the end, a
 * caller writes nothing before
 */
export async function* readListings(open: Source): AsyncGenerator<{ row: number; listing: EtsyListing }> {
  const { encoding, delimiter, isEnded } = await formatOf(open)
  let header: Header | undefined
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    // Excel leaves out empty cells at the end of some rows.
    relax_column_count_less: true,
    max_record_size: MAX_ROW,
    // Here, since an error further down may come before the loop has seen the header.
    on_record: (cells: string[]) => {
      header ??= headerOf(cells)
      return cells
    },
  })
  // The loop below throws its errors.
  pipeline(decoded(open, encoding), parser, () => {})
  const problems: string[] = []
  let row = 0
  let isShort = false
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row += 1
      if (!header || row === 1) continue
      const { columns, groups } = header
      if (row > MAX_ROWS + 1) throw refused([`Row ${row}: a file can have at most 5,000 listings`])
      isShort = cells.length < columns.length
      if (cells.every(cell => cell.trim() === '')) continue
      const refuse = (column: number, why: string) =>
        problems.push(`Row ${row}, ${columns[column]?.name}: ${why}`)
      const limits = columns.map(({ max }) => max)
      const listing = listingOf(cells, { limits, groups, refuse })
      if (problems.length >= MAX_PROBLEMS) throw refused(problems)
      if (listing && problems.length === 0) yield { row, listing }
    }
  } catch (error) {
    throw error instanceof CsvError ? refused([...problems, inWords(error, header)]) : error
  }
  if (isShort && !isEnded) problems.unshift(`Row ${row}: ${CUT_OFF}`)
  if (problems.length > 0) throw refused(problems)
}

const refused = (errors: string[]) => new Problem(400, errors[0] ?? '', { errors })

/** @throws Problem 400 for the header of another file */
function headerOf(cells: string[]): Header {
  const names = cells.map(cell => cell.trim())
  const groups = { 24: 2, 27: 3 }[names.length]
  const isEtsys = names[CURRENCY_COLUMN] === 'CURRENCY_CODE' && names.at(-1) === 'SKU'
  if (!isEtsys || (groups !== 2 && groups !== 3)) throw new Problem(400, NOT_ETSYS)
  const limits = columnsOf(groups)
  // The seller's language, so that they find the column.
  const columns = limits.map(({ name, max }, index) => ({ name: names[index]?.slice(0, 50) || name, max }))
  return { groups, columns }
}

/** The row and column of an error of the parser. The rows before it may not have arrived. */
function inWords(error: CsvError, header: Header | undefined): string {
  const { code, records, column } = error as CsvError & { records: number; column: number }
  const name = header?.columns[column]?.name ?? `column ${column + 1}`
  const place = `Row ${records + 1}, ${name}`
  if (code === 'CSV_MAX_RECORD_SIZE') return `${place}: the cell is too long`
  if (code === 'CSV_QUOTE_NOT_CLOSED') return `${place}: a quote is not closed. Perhaps ${CUT_OFF}`
  if (code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH') {
    const { record } = error as CsvError & { record: string[] }
    return `Row ${records + 1}: it has ${record.length} columns, more than the first row`
  }
  return `${place}: a quote stands where none can be. Within a cell it must be doubled`
}
