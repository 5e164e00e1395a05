import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

declare module 'fastify' {
  interface FastifyInstance {
    /** Files that can be made again at any time. */
    derivedFiles: DerivedFileCache
  }
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Files that were not used for this time are removed, milliseconds. */
const IDLE_MS = 30 * DAY_MS
/** Limit of all files together, bytes. */
const MAX_BYTES = 512 * 2 ** 20
/** The part of the limit that is left after a sweep. */
const SWEEP_TO = 7 / 8
const NAME = /^[0-9a-f]{64}$/

/**
 * Cache of derived files, which can be made again at any time, in a folder of the local disk. Least recently used
 * files are removed.
 */
export class DerivedFileCache {
  readonly #folder: string
  readonly #making = new Map<string, Promise<Buffer>>()
  readonly #maxBytes: number
  /** Bytes that this process may write before the next sweep. */
  #budget = 0
  /** Bytes that it may write after a sweep. All processes have the same share, so that the limit holds for all together. */
  readonly #share: number
  #sweeping: Promise<void> | undefined

  /**
   * @param processes number of processes that write into the folder
   * @param maxBytes limit of all files together; one file has to be far smaller than a sixteenth of it
   */
  constructor(folder: string, processes = 1, maxBytes = MAX_BYTES) {
    this.#folder = folder
    this.#maxBytes = maxBytes
    // Half of what a sweep leaves free, since files are written during a sweep.
    this.#share = ((1 - SWEEP_TO) * maxBytes) / 2 / processes
  }

  /**
   * Returns a file, or makes it. Concurrent callers share one call of `make` (single-flight).
   * @param name 64 hexadecimal digits: a hash of its input
   */
  async get(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
    if (!NAME.test(name)) throw new Error(`not a name: ${JSON.stringify(name)}`)
    const making =
      this.#making.get(name) ?? this.#readOrMake(name, make).finally(() => this.#making.delete(name))
    this.#making.set(name, making)
    return making
  }

  async #readOrMake(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const path = join(this.#folder, name)
    const found = await readFile(path).catch(() => undefined)
    if (found) {
      await markUsed(path)
      return found
    }
    const bytes = await make()
    await this.#takeBudget(bytes.length)
    const part = `${path}.${randomUUID()}.part`
    try {
      await mkdir(this.#folder, { recursive: true })
      await writeFile(part, bytes)
      await rename(part, path)
    } catch {
      // The disk is full or read-only: the file is made again each time.
      await rm(part, { force: true }).catch(() => {})
    }
    return bytes
  }

  /** Waits until this many bytes can be written within the limit. */
  async #takeBudget(bytes: number): Promise<void> {
    while (this.#budget < bytes) {
      // Where a file cannot be removed, `sweepDisk` logs it; a request gets its response.
      this.#sweeping ??= this.sweep()
        .catch(() => {})
        .finally(() => {
          this.#sweeping = undefined
          this.#budget = Math.max(this.#share, bytes)
        })
      await this.#sweeping
    }
    this.#budget -= bytes
  }

  /** Removes files that were not used for 30 days, then the least recently used ones until 7/8 of the limit are left. */
  async sweep(): Promise<void> {
    const now = Date.now()
    const target = SWEEP_TO * this.#maxBytes
    const names = await readdir(this.#folder).catch(() => [])
    const files = await Promise.all(
      names.map(async name => {
        // Another process may have removed it.
        const found = await stat(join(this.#folder, name)).catch(() => undefined)
        return { name, bytes: found?.size ?? 0, used: found?.mtimeMs ?? now }
      }),
    )
    let bytes = 0
    for (const file of files.sort((a, b) => b.used - a.used)) {
      bytes += file.bytes
      const cutOff = file.name.endsWith('.part') && now - file.used > DAY_MS
      if (cutOff || bytes > target || now - file.used > IDLE_MS)
        await rm(join(this.#folder, file.name), { force: true })
    }
  }
}

/** Sets the modification time of a file to its last use, once a day at most, to save writes. */
async function markUsed(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  const now = new Date()
  if (found && now.getTime() - found.mtimeMs > DAY_MS) await utimes(path, now, now).catch(() => {})
}
