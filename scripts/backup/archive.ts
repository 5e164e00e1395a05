import { createHash, type Hash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { addAbortSignal, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { createTarDecoder, createTarPacker, type TarPackController } from 'modern-tar'

/**
 * An entry of a backup, which is a tar archive ("ustar"). The last entry, `end.json`, holds a checksum of the names, sizes and
 * contents of all others, so that a truncated or damaged archive is detected before it is restored. Archives are written and
 * read as streams, with some megabytes in memory.
 */
export interface Entry {
  name: string
  /** Bytes of `content`, exactly. */
  size: number
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

const BLOCK = 512
const END = 'end.json'

/** The file is no backup, or it is damaged. The message is a sentence for the user. */
export class CorruptBackupError extends Error {}

export const NOT_A_BACKUP = 'It is not a backup of a shop'
const DAMAGED = 'It is damaged, or not whole'

/** An entry with a text. */
export const textEntry = (name: string, text: string): Entry => {
  const bytes = Buffer.from(text)
  return { name, size: bytes.length, content: [bytes] }
}

/** The content of a small entry. @throws CorruptBackupError over 16 MB */
export async function readSmallEntry({ size, content }: Entry): Promise<Buffer> {
  if (size > 16 * 1024 * 1024) throw new CorruptBackupError(DAMAGED)
  return buffer(content as AsyncIterable<Uint8Array>)
}

/**
 * Writes an archive into a temporary file, syncs it, and gives it its name. Only its owner can read it.
 * @param interrupted ends the writing with its reason
 * @returns its size, bytes
 * @throws Error if the file exists
 */
export async function writeArchive(
  path: string,
  entries: AsyncIterable<Entry>,
  interrupted?: AbortSignal,
): Promise<number> {
  if (await stat(path).catch(() => undefined)) throw existing(path)
  // 'wx' fails for an existing file or link, whose permissions could let others read it.
  const part = `${path}.${randomUUID()}.part`
  const file = await open(part, 'wx', 0o600)
  try {
    const { readable, controller } = createTarPacker()
    // An error reaches the reader of the archive.
    pack(controller, entries).catch(controller.error)
    const archive = Readable.fromWeb(readable as NodeReadableStream)
    if (interrupted) addAbortSignal(interrupted, archive)
    await writeFile(file, archive)
    await file.sync()
    const { size } = await file.stat()
    await file.close()
    await nameAs(path, part)
    return size
  } catch (error) {
    await file.close().catch(() => {})
    await rm(part, { force: true })
    interrupted?.throwIfAborted()
    throw error
  }
}

const existing = (path: string) => new Error(`There is a file ${path} already`)

/** Gives a file its name, durably. @throws Error if another one has it, also since a moment ago */
async function nameAs(path: string, part: string): Promise<void> {
  try {
    // The rename alone would replace a file: it replaces this empty one.
    await (await open(path, 'wx', 0o600)).close()
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? existing(path) : error
  }
  await rename(part, path)
  try {
    await using folder = await open(dirname(path))
    await folder.sync()
  } catch (error) {
    // The file has its name: a folder that cannot be synced is no reason to say that there is none.
    if (!NO_SYNC.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** What a file system says whose folders cannot be opened or synced. */
const NO_SYNC = ['EINVAL', 'EACCES', 'EPERM', 'ENOTSUP', 'ENOSYS']

async function pack(archive: TarPackController, entries: AsyncIterable<Entry>): Promise<void> {
  const append = async ({ name, size, content }: Entry) =>
    ReadableStream.from(content).pipeTo(archive.add({ name, size, mode: 0o600 }))
  const hash = createHash('sha256')
  let count = 0
  for await (const entry of entries) {
    await append({ ...entry, content: summed(entry, hash) })
    count++
  }
  await append(textEntry(END, endOf(count, hash)))
  archive.finalize()
}

const endOf = (entries: number, hash: Hash) => JSON.stringify({ entries, sha256: hash.digest('hex') })

/** The content of an entry, which is added to the checksum with its name and size. */
async function* summed({ name, size, content }: Entry, hash: Hash): AsyncGenerator<Uint8Array> {
  hash.update(`${name}\0${size}\0`)
  for await (const bytes of content) {
    hash.update(bytes)
    yield bytes
  }
}

/**
 * Reads the entries of an archive. Unread content of an entry is skipped. The checksum is compared after the last one: only
 * a loop that ends by itself has read a valid archive.
 * @throws CorruptBackupError
 */
export async function* readArchive(path: string): AsyncGenerator<Entry> {
  await using file = await open(path)
  const archive = ReadableStream.from(createReadStream(path)).pipeThrough(createTarDecoder({ strict: true }))
  const hash = createHash('sha256')
  let [count, at, ended] = [0, 0, false]
  // If the first header is invalid, the file is no backup at all.
  const corrupt = () => new CorruptBackupError(count === 0 ? NOT_A_BACKUP : DAMAGED)
  for await (const { header, body } of decoded(archive, corrupt)) {
    const { name, size } = header
    const entry = { name, size, content: decoded(body, corrupt) }
    if (ended) throw corrupt()
    if (name === END) {
      ended = (await readSmallEntry(entry)).toString() === endOf(count, hash)
      if (!ended) throw corrupt()
    } else {
      count++
      const content = summed(entry, hash)
      yield { name, size, content }
      for await (const _ of content);
    }
    // The decoder does not look at the padding.
    at += BLOCK + size
    const padding = -size & (BLOCK - 1)
    if (!(await isZero(file, at, padding))) throw corrupt()
    at += padding
  }
  if (!ended) throw corrupt()
}

/**
 * As `readArchive`, with the entries of a folder together: `tables/users/0001`, `tables/users/0002`, …
 * @param interrupted ends the reading with its reason
 */
export async function* readFolders(path: string, interrupted: AbortSignal) {
  const folderOf = (entry: Entry) => entry.name.split('/', 2).join('/')
  const archive = readArchive(path)
  try {
    let next = await archive.next()
    while (!next.done) {
      const folder = folderOf(next.value)
      const inside = async function* (): AsyncGenerator<Entry> {
        for (; !next.done && folderOf(next.value) === folder; next = await archive.next()) {
          interrupted.throwIfAborted()
          yield next.value
        }
      }
      const entries = inside()
      const [kind, name = ''] = folder.split('/')
      yield { kind, name, entries }
      for await (const _ of entries);
    }
  } finally {
    await archive.return(undefined)
  }
}

/** What the decoder makes of the archive. */
async function* decoded<T>(stream: ReadableStream<T>, corrupt: () => Error): AsyncGenerator<T> {
  try {
    yield* stream
  } catch (error) {
    // An error with a code is one of the disk.
    throw (error as NodeJS.ErrnoException).code ? error : corrupt()
  }
}

async function isZero(file: FileHandle, at: number, size: number): Promise<boolean> {
  const { buffer: bytes } = await file.read(Buffer.alloc(size), 0, size, at)
  return bytes.every(byte => byte === 0)
}
