import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'

/**
 * An entry of a backup, which is a tar archive (POSIX.1-1988, "ustar"). The last entry, `end.json`, holds a checksum of the
 * names, sizes and contents of all others, so that a truncated or damaged archive is detected before it is restored. Archives
 * are written and read as streams, with one block in memory.
 */
export interface Entry {
  /** At most 100 characters of ASCII. */
  name: string
  /** Bytes of `content`, exactly. */
  size: number
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

const BLOCK = 512
const READ_BYTES = 1024 * 1024
const END = 'end.json'
/** The octal field of a size has eleven digits. */
const MAX_SIZE = 8 ** 11 - 1

/** The file is no backup, or it is damaged. The message is a sentence for the user. */
export class CorruptBackupError extends Error {}

export const FOREIGN = 'It is not a backup of a shop'

/** An entry with a text. */
export const textEntry = (name: string, text: string): Entry => {
  const bytes = Buffer.from(text)
  return { name, size: bytes.length, content: [bytes] }
}

/**
 * Writes an archive into a temporary file, syncs it, and renames it. Only its owner can read it.
 * @returns its size, bytes
 * @throws Error if the file exists
 */
export async function writeArchive(path: string, entries: AsyncIterable<Entry>): Promise<number> {
  if (await stat(path).catch(() => undefined)) throw new Error(`There is a file ${path} already`)
  // 'wx' fails for an existing file or link, whose permissions could let others read it.
  const part = `${path}.${randomUUID()}.part`
  const file = await open(part, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    let count = 0
    for await (const entry of entries) {
      await append(file, entry, bytes => hash.update(bytes))
      count++
    }
    const end = { entries: count, sha256: hash.digest('hex') }
    await append(file, textEntry(END, JSON.stringify(end)), () => {})
    await file.writeFile(Buffer.alloc(2 * BLOCK))
    await file.sync()
    const { size } = await file.stat()
    await file.close()
    await rename(part, path)
    return size
  } catch (error) {
    await file.close().catch(() => {})
    await rm(part, { force: true })
    throw error
  }
}

async function append(file: FileHandle, entry: Entry, sum: (bytes: Uint8Array) => void): Promise<void> {
  const { name, size, content } = entry
  const head = headerOf(name, size)
  sum(summed(name, size))
  await file.writeFile(head)
  let written = 0
  for await (const bytes of content) {
    written += bytes.length
    sum(bytes)
    await file.writeFile(bytes)
  }
  if (written !== size) throw new Error(`${name} has ${written} bytes instead of ${size}`)
  await file.writeFile(Buffer.alloc(padding(size)))
}

/** The part of the checksum for name and size of an entry. */
const summed = (name: string, size: number) => Buffer.from(`${name}\0${size}\0`)
const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK

function headerOf(name: string, size: number): Buffer {
  if (!/^[\x21-\x7e]{1,100}$/.test(name))
    throw new Error(`${name} cannot be the name of a file in an archive`)
  if (size > MAX_SIZE) throw new Error(`${name} is too large for an archive`)
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, offset: number, digits: number) =>
    block.write(`${value.toString(8).padStart(digits, '0')}\0`, offset)
  block.write(name)
  octal(0o600, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(size, 124, 11)
  octal(Math.floor(Date.now() / 1000), 136, 11)
  block.write('        0', 148)
  block.write('ustar\u000000', 257)
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

const checksum = (block: Buffer) => block.reduce((sum, byte) => sum + byte, 0)

/**
 * Reads the entries of an archive. The content of each has to be read before the next entry. The checksum is compared after
 * the last one: only a loop that ends by itself has read a valid archive.
 * @throws CorruptBackupError
 */
export async function* readArchive(path: string): AsyncGenerator<Entry> {
  await using file = await open(path)
  const hash = createHash('sha256')
  let count = 0
  for (;;) {
    const { name, size } = await header(file, count)
    if (name === END) {
      if (size > READ_BYTES) throw damaged()
      const end = (await exactly(file, size)).toString()
      if (end !== JSON.stringify({ entries: count, sha256: hash.digest('hex') })) throw damaged()
      await zeros(file, padding(size) + 2 * BLOCK)
      if ((await file.read(Buffer.alloc(1))).bytesRead > 0) throw damaged()
      return
    }
    hash.update(summed(name, size))
    let left = size
    const content = async function* () {
      while (left > 0) {
        const bytes = await exactly(file, Math.min(left, READ_BYTES))
        left -= bytes.length
        hash.update(bytes)
        yield bytes
      }
    }
    yield { name, size, content: content() }
    if (left > 0) throw new Error(`${name} was not read to its end`)
    await zeros(file, padding(size))
    count++
  }
}

/** Reads the header of an entry. If the first one is invalid, the file is no backup at all. */
async function header(file: FileHandle, count: number): Promise<{ name: string; size: number }> {
  try {
    return parse(await exactly(file, BLOCK))
  } catch (error) {
    throw count === 0 ? new CorruptBackupError(FOREIGN) : error
  }
}

function parse(block: Buffer): { name: string; size: number } {
  const field = (from: number, to: number) => block.toString('latin1', from, to).replace(/[\0 ].*$/s, '')
  const sum = Number.parseInt(field(148, 156), 8)
  block.fill(' ', 148, 156)
  const [name, size] = [field(0, 100), field(124, 136)]
  if (sum !== checksum(block) || !/^[0-7]{11}$/.test(size)) throw damaged()
  return { name, size: Number.parseInt(size, 8) }
}

async function exactly(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size)
  for (let have = 0; have < size; ) {
    const { bytesRead } = await file.read(bytes, have, size - have)
    if (bytesRead === 0) throw damaged()
    have += bytesRead
  }
  return bytes
}

async function zeros(file: FileHandle, size: number): Promise<void> {
  if ((await exactly(file, size)).some(byte => byte !== 0)) throw damaged()
}

const damaged = () => new CorruptBackupError('It is damaged, or not whole')

/** The content of a small entry. @throws CorruptBackupError over 16 MB */
export async function wholeEntry({ size, content }: Entry): Promise<Buffer> {
  if (size > 16 * READ_BYTES) throw damaged()
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}
