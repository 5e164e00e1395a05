import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

declare module 'fastify' {
  interface FastifyInstance {
    files: Files
    /** Files that have no public address. */
    privateFiles: Files
  }
}

/** A file to store. */
export interface NamedFile {
  name: string
  bytes: Uint8Array
}

/**
 * Storage of uploaded files: a directory of this machine, or an object store, where a folder is a prefix of keys. The files of
 * one upload share a folder: they are written together, never changed, and removed together. All functions throw Problem 503
 * while the store does not respond.
 */
export interface Files {
  /**
   * Stores files in a new folder, all or none. When it has returned, they survive a power failure.
   * @param files names consist of `a-z`, `0-9`, `-` and single dots, at most 64 characters. Of an iterable, one file at a time
   * is in memory
   * @param folder its name, for a restore; otherwise a random one. It must not exist: after an error it is removed
   * @returns the name of the folder: 32 hexadecimal digits, which cannot be guessed
   * @throws Error for an invalid name, or if the disk is full
   */
  put(files: NamedFile[] | AsyncIterable<NamedFile>, folder?: string): Promise<string>
  /**
   * Opens a file: its content, and its size in bytes. Undefined if there is no such file, also for invalid names. The caller has
   * to read the stream to its end, or destroy it.
   */
  open(folder: string, name: string): Promise<{ stream: Readable; size: number } | undefined>
  /** The files of a folder with their sizes in bytes, sorted by name; none if the folder is missing. */
  contents(folder: string): Promise<{ name: string; size: number }[]>
  /** Removes a folder and its files. A missing folder is no error. @throws Error for an invalid name */
  remove(folder: string): Promise<void>
  /** The names of the folders that were written before a time, also of those that a crash has left incomplete. */
  list(olderThan: Date): AsyncIterable<string>
  /** Removes all folders. */
  clear(): Promise<void>
  /** The name of the database that may remove files. Only an object store has it, since copies of a shop may share one. */
  readonly owner?: {
    /** URL of the object that holds it. */
    readonly url: string
    read(): Promise<string | undefined>
    write(database: string): Promise<void>
  }
}

const FOLDER = /^[0-9a-f]{32}$/
const NAME = /^(?=.{1,64}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/
/** Whether a text has the form of a folder's name: 32 hexadecimal digits. */
export const isFolderName = (name: string): boolean => FOLDER.test(name)
/** Whether a text has the form of a file's name: see `Files.put`. */
export const isFileName = (name: string): boolean => NAME.test(name)
/** @throws Error if a name has another form */
export function checkNames(folder: string, files: { name: string }[] = []): void {
  if (!isFolderName(folder)) throw new Error(`not a folder name: ${JSON.stringify(folder)}`)
  for (const { name } of files)
    if (!isFileName(name)) throw new Error(`not a file name: ${JSON.stringify(name)}`)
}

/** Suffix of a folder while it is written. */
const PART = '.part'

/** Storage in a directory of the local disk, which the first upload creates. @param mode permissions of each folder */
export function localFiles(directory: string, mode = 0o777): Files {
  return {
    async put(files, folder = randomBytes(16).toString('hex')) {
      checkNames(folder)
      const whole = join(directory, folder)
      const part = whole + PART
      await mkdir(directory, { recursive: true })
      await mkdir(part, { recursive: true, mode })
      try {
        for await (const { name, bytes } of files) {
          checkNames(folder, [{ name }])
          await writeFile(join(part, name), bytes, { flag: 'wx', flush: true })
        }
        await sync(part)
        await rename(part, whole)
        await sync(directory)
      } catch (error) {
        await discard(whole)
        throw error
      }
      return folder
    },

    async open(folder, name) {
      if (!isFolderName(folder) || !isFileName(name)) return undefined
      const file = await unlessMissing(open(join(directory, folder, name)))
      if (!file) return undefined
      const { size } = await file.stat()
      return { stream: file.createReadStream(), size }
    },

    async contents(folder) {
      if (!isFolderName(folder)) return []
      const path = join(directory, folder)
      const sized = async (name: string) => ({ name, size: (await stat(join(path, name))).size })
      // A folder that is removed meanwhile has no files.
      return (await unlessMissing(readdir(path).then(names => Promise.all(names.sort().map(sized))))) ?? []
    },

    async remove(folder) {
      checkNames(folder)
      await discard(join(directory, folder))
    },

    async *list(olderThan) {
      const entries = await unlessMissing(opendir(directory))
      for await (const { name } of entries ?? []) {
        const folder = name.endsWith(PART) ? name.slice(0, -PART.length) : name
        if (!isFolderName(folder)) continue
        const written = (await unlessMissing(stat(join(directory, name))))?.mtime
        if (written && written < olderThan) yield folder
      }
    },

    clear: () => rm(directory, { recursive: true, force: true }),
  }
}

/** Syncs a directory: before that, a rename or a new file in it may be lost by a power failure. */
async function sync(directory: string): Promise<void> {
  await using handle: FileHandle = await open(directory)
  await handle.sync()
}

async function discard(whole: string): Promise<void> {
  await rm(whole, { recursive: true, force: true })
  await rm(whole + PART, { recursive: true, force: true })
}

/** The result, or undefined if the path does not exist. */
async function unlessMissing<T>(outcome: Promise<T>): Promise<T | undefined> {
  try {
    return await outcome
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
