import { Readable } from 'node:stream'
import { makeZip } from 'client-zip'

/** A file of an archive. */
export interface ZipEntry {
  /** Its path in the archive. */
  name: string
  input: string | AsyncIterable<string | Uint8Array>
  lastModified: Date
}

/**
 * A zip archive that is made while it is read: one piece of one file is in memory. When the archive is destroyed, the file that
 * is being read is closed.
 * @param entries the next one is asked for when the one before was read to its end
 */
export function zipArchive(entries: AsyncIterable<ZipEntry>): Readable {
  async function* closed() {
    for await (const entry of entries)
      try {
        yield entry
      } finally {
        if (entry.input instanceof Readable) entry.input.destroy()
      }
  }
  return Readable.fromWeb(makeZip(closed()) as never)
}
