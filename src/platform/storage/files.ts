import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

declare module 'fastify' {
  interface FastifyInstance {
    files: Files
  }
}

/**
 * Where uploaded files are kept: a directory of this machine, or an object store, where a folder is a key's prefix. The
 * files of one upload share a folder: they are written together, never changed, and removed together. Where they are
 * out of reach, everything here throws Problem 503.
 */
export interface Files {
  /**
   * Keeps all the files in a new folder, or none of them, and answers the folder's name: 32 hexadecimal
   * digits nobody can guess. Once it has answered, the files survive a power cut. Throws when a name is not
   * made of `a-z`, `0-9`, `-` and single dots (at most 64 characters), and when the disk is full. A restore says
   * which folder it was.
   */
  put(files: { name: string; bytes: Uint8Array }[], folder?: string): Promise<string>
  /**
   * One file's content and its size in bytes; undefined when there is no such file, whatever the names hold.
   * The caller must read the stream to its end or destroy it.
   */
  open(folder: string, name: string): Promise<{ stream: Readable; size: number } | undefined>
  /** The files in a folder with their sizes in bytes, in the order of their names; none where it is gone. */
  contents(folder: string): Promise<{ name: string; size: number }[]>
  /** Removes a folder with everything in it; one that is already gone is fine. Throws on any other name. */
  remove(folder: string): Promise<void>
  /** The names of the folders written before that time, those left half-written by a crash too. */
  list(olderThan: Date): AsyncIterable<string>
  /** Removes all folders with everything in them. */
  clear(): Promise<void>
  /** Names the database that may remove files here. Only a store has it: copies of a shop may share one. */
  readonly owner?: {
    /** Where it is written down. */
    readonly address: string
    read(): Promise<string | undefined>
    write(database: string): Promise<void>
  }
}

const FOLDER = /^[0-9a-f]{32}$/
const NAME = /^(?=.{1,64}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/
export const isFolderName = (name: string): boolean => FOLDER.test(name)
export const isFileName = (name: string): boolean => NAME.test(name)
export const noFolderName = (name: string) => new Error(`not a folder name: ${JSON.stringify(name)}`)
export const noFileName = (name: string) => new Error(`not a file name: ${JSON.stringify(name)}`)
/** Ends the name of a folder that is still being written. */
const PART = '.part'

/** Keeps the files in a directory of this machine's disk; it is made with the first upload. */
export function localFiles(directory: string): Files {
  return {
    async put(files, folder = randomBytes(16).toString('hex')) {
      if (!isFolderName(folder)) throw noFolderName(folder)
      for (const { name } of files) if (!isFileName(name)) throw noFileName(name)
      const whole = join(directory, folder)
      const part = whole + PART
      await mkdir(part, { recursive: true })
      try {
        for (const { name, bytes } of files) await write(join(part, name), bytes)
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
      const names = ((await unlessMissing(readdir(join(directory, folder)))) ?? []).sort()
      const sizes = names.map(async name => (await unlessMissing(stat(join(directory, folder, name))))?.size)
      return (await Promise.all(sizes)).flatMap((size, n) =>
        size === undefined ? [] : { name: names[n]!, size },
      )
    },

    async remove(folder) {
      if (!isFolderName(folder)) throw noFolderName(folder)
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

async function write(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx')
  await file.writeFile(bytes)
  await file.sync()
}

/** A rename or a new name is safe from a power cut only after the directory holding it is synced. */
async function sync(directory: string): Promise<void> {
  await using handle: FileHandle = await open(directory)
  await handle.sync()
}

async function discard(whole: string): Promise<void> {
  await rm(whole, { recursive: true, force: true })
  await rm(whole + PART, { recursive: true, force: true })
}

/** The outcome, or undefined where the path does not exist (any longer). */
async function unlessMissing<T>(outcome: Promise<T>): Promise<T | undefined> {
  try {
    return await outcome
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
