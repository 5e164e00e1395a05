import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { CorruptBackupError } from './archive.ts'
import type { Manifest } from './manifest.ts'

/** A table while its rows are on their way to PostgreSQL. */
export interface CopyIn {
  name: string
  write(bytes: Uint8Array): Promise<void>
  /** @returns rows */
  end(): Promise<number>
  /** Ends it without its rows. Until it has ended, PostgreSQL is told nothing else, not even a rollback. */
  abandon(): Promise<void>
}

/** Hands the rows of a table to PostgreSQL, no faster than it takes them. @throws Damaged for a table that the head does not name */
export function copyIn(client: pg.Client, head: Manifest, name: string): CopyIn {
  const columns = head.tables.find(table => table.name === name)?.columns
  if (!columns) throw new CorruptBackupError(`It holds rows of ${name}, of which it does not speak`)
  const names = columns.map(column => client.escapeIdentifier(column)).join(', ')
  const sink = client.query(copyFrom(`copy ${client.escapeIdentifier(name)} (${names}) from stdin`))
  const pipe = new PassThrough()
  const done = pipeline(pipe, sink)
  done.catch(() => {})
  return {
    name,
    async write(bytes) {
      if (!pipe.write(bytes)) await Promise.race([once(pipe, 'drain'), done])
    },
    async end() {
      pipe.end()
      await done
      return sink.rowCount ?? 0
    },
    async abandon() {
      pipe.destroy(new Error('The restore has failed'))
      await done.catch(() => {})
    },
  }
}
