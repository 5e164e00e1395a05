import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { CorruptBackupError } from './archive.ts'
import type { Manifest } from './manifest.ts'

/** A running COPY FROM STDIN into a table. */
export interface CopyIn {
  name: string
  write(bytes: Uint8Array): Promise<void>
  /** Ends the COPY. @returns the number of rows */
  end(): Promise<number>
  /** Cancels the COPY. Until it has ended, the connection cannot be used, not even for a rollback. */
  abandon(): Promise<void>
}

/** Starts to copy rows into a table, with backpressure. @throws CorruptBackupError for a table that is not in the manifest */
export function copyIn(client: pg.Client, manifest: Manifest, name: string): CopyIn {
  const columns = manifest.tables.find(table => table.name === name)?.columns
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
