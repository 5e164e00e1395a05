import type { Problem } from '#problem'
import { readListings } from '#transfer/read-listings.ts'

/** Files in the shape of Etsy's. */

export const COLUMNS = [
  ...['TITLE', 'DESCRIPTION', 'PRICE', 'CURRENCY_CODE', 'QUANTITY', 'TAGS', 'MATERIALS'],
  ...['IMAGE1', 'IMAGE2', 'IMAGE3', 'IMAGE4', 'IMAGE5', 'IMAGE6', 'IMAGE7', 'IMAGE8', 'IMAGE9', 'IMAGE10'],
  ...['VARIATION 1 TYPE', 'VARIATION 1 NAME', 'VARIATION 1 VALUES'],
  ...['VARIATION 2 TYPE', 'VARIATION 2 NAME', 'VARIATION 2 VALUES'],
]
export const HEADER = [...COLUMNS, 'SKU'].join(',')
export const HEADER_27 = [
  ...COLUMNS,
  'VARIATION 3 TYPE',
  'VARIATION 3 NAME',
  'VARIATION 3 VALUES',
  'SKU',
].join(',')
export const ITALIAN = [
  ...['TITOLO', 'DESCRIZIONE', 'PREZZO', 'CURRENCY_CODE', 'QUANTITÀ', 'TAG', 'MATERIALI'],
  ...Array.from({ length: 10 }, (_, index) => `IMMAGINE${index + 1}`),
  ...['TIPO VARIANTE 1', 'NOME VARIANTE 1', 'VALORI VARIANTE 1'],
  ...['TIPO VARIANTE 2', 'NOME VARIANTE 2', 'VALORI VARIANTE 2', 'SKU'],
].join(',')
export const PICTURE = 'https://i.etsystatic.com/123/r/il/ab12cd/4567/il_fullxfull.4567_x1y2.jpg'

/** Cells of a row, with what differs by its column. */
export const cells = (changed: Record<string, string> = {}) =>
  [...COLUMNS, 'SKU'].map(
    column =>
      ({
        TITLE: 'Speckled mug, stoneware',
        DESCRIPTION: 'Thrown by hand.\n\nHolds 300 ml.',
        PRICE: '26.5',
        CURRENCY_CODE: 'USD',
        QUANTITY: '3',
        TAGS: 'blue_mug,gift',
        MATERIALS: 'Stoneware,Glaze',
        IMAGE1: PICTURE,
        ...changed,
      })[column] ?? '',
  )
/** Values as a line of CSV. */
export const line = (values: string[], delimiter = ',') =>
  values.map(value => (/[",;\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(delimiter)
/** A row of the file, with some cells changed by their columns. */
export const row = (changed?: Record<string, string>) => line(cells(changed))
/** A file of one listing. */
export const listingsFile = [HEADER, row(), ''].join('\n')
export const mug = {
  title: 'Speckled mug, stoneware',
  description: 'Thrown by hand.\n\nHolds 300 ml.',
  price_cents: 2650,
  currency: 'USD',
  quantity: 3,
  tags: ['blue mug', 'gift'],
  materials: ['Stoneware', 'Glaze'],
  images: [PICTURE],
  variations: [],
  skus: [],
}

const bytesOf = (file: string | Uint8Array) => (typeof file === 'string' ? Buffer.from(file) : file)
/**
 * Reads a file in pieces of so many bytes. @returns its listings with their row numbers @throws Problem as
 * `readListings`
 */
export async function read(file: string | Uint8Array, piece = 1_000_000) {
  const bytes = bytesOf(file)
  function* source() {
    for (let start = 0; start < bytes.length; start += piece) yield bytes.subarray(start, start + piece)
  }
  return Array.fromAsync(readListings(source))
}
/** The listings of a file, without their row numbers. */
export const listings = async (file: string | Uint8Array, piece?: number) =>
  (await read(file, piece)).map(({ listing }) => listing)
/** Why a file is refused. */
export const refusal = async (file: string | Uint8Array) =>
  read(file).then(
    () => [],
    (problem: Problem) => [problem.status, ...problem.errors],
  )
