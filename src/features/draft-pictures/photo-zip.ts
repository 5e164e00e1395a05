import { text } from 'node:stream/consumers'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { MAX_FILE_BYTES } from '#images/contract.ts'
import { detectFormat } from '#images/sniff.ts'
import { Problem } from '#problem'
import { MAX_ZIP_ENTRIES, ZIP_REFUSALS } from './contract.ts'

/** Of a name in the zip, characters. */
export const MAX_NAME = 500
/** Of the other data about an entry, bytes. */
const MAX_EXTRA = 4_000
/** Pictures are compressed already: above this ratio, a file is a bomb. Small files may be of one colour. */
const MAX_RATIO = 20
const SMALL_BYTES = 256 * 1024
/** What a zip may hold. */
interface ZipLimits {
  files: number
  /** Of all files unpacked. */
  bytes: number
}
const OF_A_MAKER: ZipLimits = { files: MAX_ZIP_ENTRIES, bytes: 500 * 2 ** 20 }
/** For operators: an archive of the most listings that one can have, with all their photos. */
export const OF_A_WHOLE_SHOP: ZipLimits = { files: 120_000, bytes: 100 * 2 ** 30 }
/** The first bytes that tell what a file is. */
const BEGINNING = 4_096

/** What the upper half of the external attributes says about the kind of a file, as Unix writes it. */
const KIND = 0o170000
const REGULAR = 0o100000

const refuse = (message: string, cause?: unknown) => new Problem(400, message, { cause })

/** A zip with photos whose directory was checked. Its files are unpacked one at a time. */
export class PhotoZip {
  readonly #zip: ZipFile
  readonly #entries: Map<string, Entry>

  constructor(zip: ZipFile, entries: Map<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  /** Names of the files, with their folders, in the order of the zip. */
  get names(): string[] {
    return [...this.#entries.keys()]
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /**
   * Unpacks a text.
   * @param maxBytes of it
   * @returns undefined if the zip has none, or a longer one.
   * @throws Error if it is damaged
   */
  async text(name: string, maxBytes: number): Promise<string | undefined> {
    const entry = this.#entries.get(name)
    if (!entry || entry.uncompressedSize > maxBytes) return undefined
    return text(await this.#zip.openReadStreamPromise(entry))
  }

  /** Unpacks a file. @returns undefined if it is no picture. @throws Error if it is damaged, or larger than it says */
  async read(name: string): Promise<Buffer | undefined> {
    const entry = this.#entries.get(name)
    if (!entry) return undefined
    const stream = await this.#zip.openReadStreamPromise(entry)
    const blocks: Buffer[] = []
    let size = 0
    let isPicture: boolean | undefined
    for await (const block of stream as AsyncIterable<Buffer>) {
      blocks.push(block)
      size += block.length
      if (size > MAX_FILE_BYTES) return undefined
      if (isPicture === undefined && size >= BEGINNING) {
        isPicture = looksLikePicture(Buffer.concat(blocks))
        if (!isPicture) return undefined
      }
    }
    const bytes = Buffer.concat(blocks)
    return looksLikePicture(bytes) ? bytes : undefined
  }
}

const looksLikePicture = (bytes: Buffer) => {
  const format = detectFormat(bytes)
  return format !== undefined && format !== 'pdf'
}

/**
 * Checks the directory of a zip: nothing is unpacked. Folders, links, and what the systems of Apple add are left out.
 * @param fd of the file, which the caller closes afterwards
 * @param limits by default those of a zip that a maker sends
 * @throws Problem 400 for a file that is no zip, too many files, a name that leads out of its folder, or a bomb
 */
export async function openPhotoZip(fd: number, limits = OF_A_MAKER): Promise<PhotoZip> {
  const options = { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true }
  const zip = await fromFdPromise(fd, options).catch(error => {
    throw refuse(ZIP_REFUSALS.broken, error)
  })
  try {
    if (zip.entryCount > limits.files) throw refuse(ZIP_REFUSALS.many)
    return new PhotoZip(zip, await entriesOf(zip, limits))
  } catch (error) {
    throw error instanceof Problem ? error : refuse(nameIn(error) ?? ZIP_REFUSALS.broken, error)
  }
}

async function entriesOf(zip: ZipFile, limits: ZipLimits): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  let count = 0
  let unpacked = 0
  for await (const entry of zip.eachEntry()) {
    if (++count > limits.files) throw refuse(ZIP_REFUSALS.many)
    const { fileName: name, compressedSize: packed, uncompressedSize: size } = entry
    if (name.length > MAX_NAME || entry.extraFieldLength + entry.fileCommentLength > MAX_EXTRA)
      throw refuse(`${ZIP_REFUSALS.long}: ${name.slice(0, 60)}…`)
    if (entry.isEncrypted()) throw refuse(ZIP_REFUSALS.locked)
    unpacked += size
    if (unpacked > limits.bytes || (size > SMALL_BYTES && size > packed * MAX_RATIO))
      throw refuse(`${ZIP_REFUSALS.bomb}: ${name}`)
    if (isFile(entry) && !isAdded(name)) entries.set(name, entry)
  }
  return entries
}

/** Neither a folder nor a link, nor any other kind that is no file. */
function isFile({ fileName, externalFileAttributes }: Entry): boolean {
  const kind = (externalFileAttributes >>> 16) & KIND
  return !fileName.endsWith('/') && (kind === 0 || kind === REGULAR)
}

/** What macOS adds to a zip beside each file. */
const isAdded = (name: string) => /(^|\/)(__MACOSX\/|\._|\.DS_Store$)/.test(name)

/** The refusal of a name by the reader of zips. */
const nameIn = (error: unknown): string | undefined => {
  const [, name] =
    /^(?:invalid relative path|absolute path|invalid characters in fileName): (.*)/s.exec(
      (error as Error).message,
    ) ?? []
  return name === undefined ? undefined : `${ZIP_REFUSALS.path}: ${name.slice(0, 60)}`
}
