// Writes CSV (RFC 4180): a few lines, where a package would bring options that nothing here needs. Every text is quoted, so
// that no separator within it begins a cell.

/** A text that a spreadsheet would run as a formula (OWASP, "CSV Injection"): it gets an apostrophe in front. */
const FORMULA = /^'*(?:[\s\p{Cc}]*[=+\-@＝＋－＠]|[\t\r\n])/u

/** So that spreadsheets read UTF-8. */
export const BOM = '\ufeff'

/** One row, with its line end. Numbers are written as they are, null as an empty cell. */
export const csvRow = (cells: (string | number | null)[]): string => `${cells.map(cell).join(',')}\r\n`

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  return `"${defused(value).replaceAll('"', '""')}"`
}

/** A text that spreadsheets do not run. Texts that look defused also get an apostrophe: `typedText` finds every text again. */
const defused = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The text that was written into a cell: without the apostrophe that defuses it. */
export const typedText = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
