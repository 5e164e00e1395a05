import type { Pool, PoolClient } from 'pg'

/** Bytes that all kept answers may take together. */
const MAX_BYTES = 32 * 1024 * 1024
/** About what an entry takes beside its key and its answer: many small ones are large too. */
const ENTRY_BYTES = 200
/** Pause before listening again after the connection was lost, milliseconds. */
const RETRY_MS = 500
/** A connection that has silently gone is noticed after this time, milliseconds. */
const HEARTBEAT_MS = 15_000

/**
 * Answers that are the same for everybody, kept until anything public changes. Triggers notify the channel
 * `changed` when a transaction that touched a public table commits; whoever made the change in this process
 * also drops everything before it is answered, so nobody ever reads an answer older than their own change.
 * While the notifications cannot be heard nothing is kept.
 */
export class Kept {
  #answers = new Map<string, { value: Promise<unknown>; bytes: number }>()
  #bytes = 0
  #generation = 0
  #hearing = false
  #client: PoolClient | undefined
  #closed = false
  #heart: NodeJS.Timeout | undefined

  /** The kept value of a key, or what `load` gives. Callers at the same time share one load. `size` tells about how much room it takes. */
  async get<T>(key: string, load: () => Promise<T>, size: (value: T) => { bytes: number }): Promise<T> {
    if (!this.#hearing) return load()
    const found = this.#answers.get(key)
    if (found) return found.value as Promise<T>
    const generation = this.#generation
    const entry = { value: load() as Promise<unknown>, bytes: 0 }
    this.#answers.set(key, entry)
    try {
      const value = (await entry.value) as T
      if (generation === this.#generation && this.#answers.get(key) === entry)
        this.#count(entry, size(value).bytes + 2 * key.length + ENTRY_BYTES)
      return value
    } catch (error) {
      if (this.#answers.get(key) === entry) this.#answers.delete(key)
      throw error
    }
  }

  #count(entry: { bytes: number }, bytes: number): void {
    entry.bytes = bytes
    this.#bytes += bytes
    for (const [oldest, { bytes: freed }] of this.#answers) {
      if (this.#bytes <= MAX_BYTES) break
      this.#answers.delete(oldest)
      this.#bytes -= freed
    }
  }

  /** Forgets everything. A load under way still answers those who wait for it, and is not kept. */
  drop(): void {
    this.#generation++
    this.#answers.clear()
    this.#bytes = 0
  }

  /** Begins to listen, and to keep. Comes back by itself after a lost connection. */
  async listen(pool: Pool): Promise<void> {
    if (this.#closed) return
    try {
      const client = await pool.connect()
      if (this.#closed) return client.release(true)
      this.#client = client
      client.on('notification', () => this.drop())
      await client.query('listen changed')
      const lost = () => {
        if (this.#client === client) this.#lost(pool)
      }
      client.once('end', lost)
      this.drop()
      this.#hearing = true
      this.#heart = setInterval(() => client.query('select 1').catch(lost), HEARTBEAT_MS).unref()
    } catch {
      this.#lost(pool)
    }
  }

  #lost(pool: Pool): void {
    clearInterval(this.#heart)
    this.#hearing = false
    this.drop()
    const client = this.#client
    this.#client = undefined
    client?.release(true)
    if (!this.#closed) setTimeout(() => this.listen(pool), RETRY_MS).unref()
  }

  /** Stops listening and keeping. */
  close(): void {
    clearInterval(this.#heart)
    this.#closed = true
    this.#hearing = false
    this.#client?.removeAllListeners('end')
    this.#client?.release(true)
    this.#client = undefined
  }
}
