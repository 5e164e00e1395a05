import { Problem } from '#problem'

/** Opens a file. It is read twice: first for its encoding, then for its rows. */
export type Source = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>

const MAX_MEGABYTES = 20
/** Bytes of the first row that are looked at: 27 column names in any language are shorter. */
const HEAD = 8_192
/** Bytes that are decoded at a time. */
const PIECE = 65_536

export const NOT_ETSYS = [
  "The first row is not that of Etsy's listings file (EtsyListingsDownload.csv):",
  'it must have 24 or 27 columns, with CURRENCY_CODE in the 4th and SKU in the last one',
].join(' ')
const WORKBOOK = 'This is an Excel workbook or a zip. Save it as CSV UTF-8 and choose that file'
const UTF16 = 'This file is encoded as UTF-16. Save it as CSV UTF-8 and choose that file'

export interface Format {
  encoding: 'utf-8' | 'windows-1252'
  delimiter: ',' | ';'
  /** Whether the last row has a line end. Without one, the file may be cut off. */
  isEnded: boolean
}

/** How a file is written, from its bytes. @throws Problem 413 larger than 20 MB, 400 no such file */
export async function formatOf(open: Source): Promise<Format> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let encoding: Format['encoding'] = 'utf-8'
  const head: number[] = []
  let bytes = 0
  let last = 0
  for await (const piece of pieces(open())) {
    bytes += piece.length
    if (bytes > MAX_MEGABYTES * 1024 * 1024)
      throw new Problem(413, `The file can have at most ${MAX_MEGABYTES} MB`)
    if (head.length < HEAD) head.push(...piece.subarray(0, HEAD - head.length))
    last = piece.at(-1) ?? last
    if (encoding === 'utf-8' && !isDecodable(utf8, piece)) encoding = 'windows-1252'
  }
  if (encoding === 'utf-8' && !isDecodable(utf8)) encoding = 'windows-1252'
  return { encoding, delimiter: delimiterOf(Buffer.from(head)), isEnded: last === 10 || last === 13 }
}

/** The text of a file, a piece at a time, without a byte order mark. */
export async function* decoded(open: Source, encoding: Format['encoding']): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of pieces(open())) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

/** Small pieces, so that few rows are in memory at a time. */
async function* pieces(chunks: ReturnType<Source>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks)
    for (let start = 0; start < chunk.length; start += PIECE) yield chunk.subarray(start, start + PIECE)
}

/** Whether bytes continue a text. Without bytes: whether it may end. */
function isDecodable(decoder: InstanceType<typeof TextDecoder>, piece?: Uint8Array): boolean {
  try {
    decoder.decode(piece, { stream: piece !== undefined })
    return true
  } catch {
    return false
  }
}

function delimiterOf(head: Buffer): Format['delimiter'] {
  if (head.length === 0) throw new Problem(400, 'The file is empty')
  const text = head.toString('latin1')
  if (text.startsWith('PK\u0003\u0004')) throw new Problem(400, WORKBOOK)
  if (/^(?:ÿþ|þÿ)/.test(text)) throw new Problem(400, UTF16)
  const [, delimiter] = /CURRENCY_CODE"?([,;])/.exec(text) ?? []
  if (delimiter !== ',' && delimiter !== ';') throw new Problem(400, NOT_ETSYS)
  return delimiter
}
