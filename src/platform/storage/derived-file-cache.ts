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
/** Nobody asked for it for so long: it goes, and is made again when somebody does. */
const IDLE_MS = 30 * DAY_MS
/** Bytes that all together may take at any time. */
const MOST_BYTES = 512 * 2 ** 20
/** The part of them that is left after sweeping. */
const SWEPT_TO = 7 / 8
const NAME = /^[0-9a-f]{64}$/

/** Files that can be made again at any time, in a folder of this machine's disk. Their names are hashes of what is in them. */
export class DerivedFileCache {
  readonly #folder: string
  readonly #making = new Map<string, Promise<Buffer>>()
  readonly #most: number
  /** Bytes that this process may still write before it has to look how many there are. At first it does not know. */
  #room = 0
  /** What it may write after a look: as much as each of the others, so that all together stay within the bound. */
  readonly #share: number
  #looking: Promise<void> | undefined

  /**
   * @param processes how many write into the folder
   * @param most bytes that all files together may take; one file takes far less than a sixteenth of them
   */
  constructor(folder: string, processes = 1, most = MOST_BYTES) {
    this.#folder = folder
    this.#most = most
    // Half of what sweeping leaves free: it does not see what is being written meanwhile.
    this.#share = ((1 - SWEPT_TO) * most) / 2 / processes
  }

  /** The file of a name (64 hexadecimal digits), made where it is not there. Those who ask at the same time share the work. */
  async get(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
    if (!NAME.test(name)) throw new Error(`not a name: ${JSON.stringify(name)}`)
    const making = this.#making.get(name) ?? this.#foundOrMade(name, make)
    this.#making.set(name, making)
    try {
      return await making
    } finally {
      this.#making.delete(name)
    }
  }

  async #foundOrMade(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const path = join(this.#folder, name)
    const found = await readFile(path).catch(() => undefined)
    if (found) {
      await noteUse(path)
      return found
    }
    const bytes = await make()
    await this.#takeRoom(bytes.length)
    const part = `${path}.${randomUUID()}.part`
    await mkdir(this.#folder, { recursive: true })
    await writeFile(part, bytes)
    await rename(part, path)
    return bytes
  }

  /** Waits until so many bytes more are within the bound. */
  async #takeRoom(bytes: number): Promise<void> {
    while (this.#room < bytes) {
      this.#looking ??= this.sweep().finally(() => {
        this.#looking = undefined
        this.#room = Math.max(this.#share, bytes)
      })
      await this.#looking
    }
    this.#room -= bytes
  }

  /** Removes what nobody asked for lately, then the longest unused until the rest leaves room for more. */
  async sweep(now = Date.now()): Promise<void> {
    const most = SWEPT_TO * this.#most
    const names = await readdir(this.#folder).catch(() => [])
    const files = await Promise.all(
      names.map(async name => {
        // Gone: another process sweeps as well.
        const found = await stat(join(this.#folder, name)).catch(() => undefined)
        return { name, bytes: found?.size ?? 0, used: found?.mtimeMs ?? now }
      }),
    )
    let bytes = 0
    for (const file of files.sort((a, b) => b.used - a.used)) {
      bytes += file.bytes
      const cutOff = file.name.endsWith('.part') && now - file.used > DAY_MS
      if (cutOff || bytes > most || now - file.used > IDLE_MS)
        await rm(join(this.#folder, file.name), { force: true })
    }
  }
}

/** The time of a file is that of its last use, to the day: it need not be written with each look. */
async function noteUse(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  const now = new Date()
  if (found && now.getTime() - found.mtimeMs > DAY_MS) await utimes(path, now, now).catch(() => {})
}
